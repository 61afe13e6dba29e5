#include <libevdev/libevdev.h>
#include <libudev.h>
#include <linux/input.h>
