// SPDX-License-Identifier: Apache-2.0

// The smallest front end in C: music, a cue, a chapter tapped on its beats. It waits while there is no daemon.
// A game reads JSON with a library. This program searches each line for the few words that it needs.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static long long now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

/// Tries to connect until a daemon is there.
static int connected(void) {
  const char *chosen = getenv("STARLIGHT_SOCKET"), *home = getenv("XDG_RUNTIME_DIR"); // Empty counts as not set.
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  for (int turn = 0, named = chosen && *chosen;; turn++, usleep(250000)) {
    const char *folder = turn % 2 == 0 && home && *home ? home : "/run";
    snprintf(address.sun_path, sizeof address.sun_path, named ? "%s" : "%s/starlight/starlightd.sock", named ? chosen : folder);
    int daemon = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(daemon, (struct sockaddr *)&address, sizeof address) == 0) return daemon;
    printf("no daemon at %s: %m\n", address.sun_path);
    close(daemon);
  }
}

/// Prints a number or text of the line, and then `behind`.
static void show(const char *line, const char *name, const char *behind) {
  char key[64];
  snprintf(key, sizeof key, "\"%s\":", name);
  const char *found = strstr(line, key), *value = found ? found + strlen(key) : "none";
  if (*value == '"') value++;
  printf("%.*s%s", (int)strcspn(value, "\",}"), value, behind);
}

/// Plays until the chapter is over or the daemon is gone. Returns whether the chapter is over.
static int play(int daemon) {
  // A daemon that comes back knows nothing of earlier clients. Ask for everything again. The chapter begins in a second.
  // Without a lease it ends with this program, not 10 s later.
  dprintf(daemon, "{\"id\":1,\"method\":\"session.hello\",\"params\":{\"protocol\":1,\"client\":\"first steps in C\"}}\n"
                  "{\"id\":2,\"method\":\"session.use\",\"params\":{\"pack\":\"first-steps\"}}\n"
                  "{\"id\":3,\"method\":\"events.subscribe\",\"params\":{\"topics\":[\"rhythm\"]}}\n"
                  "{\"id\":4,\"method\":\"music.play\",\"params\":{\"track\":\"loop\"}}\n"
                  "{\"id\":5,\"method\":\"cue.fire\",\"params\":{\"cue\":\"hello\"}}\n"
                  "{\"id\":6,\"method\":\"rhythm.start\",\"params\":{\"chapter\":\"tap\",\"atUs\":%lld,\"leaseUs\":0}}\n",
          now_us() + 1000000);
  FILE *lines = fdopen(daemon, "r");
  static char *line; static size_t room; // Kept from one line to the next.
  int over = 0;
  while (!over && getline(&line, &room, lines) > 0) {
    if (strstr(line, "\"error\":{")) {
      printf("refused: %s", line); // It has a message and a hint. One without an id may say why the daemon closes.
      // A tap may come too late. Any other request would be refused again.
      if (!strstr(line, "\"id\":7")) exit(1);
    } else if (strstr(line, "\"method\":\"rhythm.beat\"")) {
      // A game does this when a key is pressed. The stamp counts, not the arrival of the line.
      dprintf(daemon, "{\"id\":7,\"method\":\"rhythm.tap\",\"params\":{\"atUs\":%lld}}\n", now_us());
    } else if (strstr(line, "\"method\":\"rhythm.judgement\"")) {
      printf("beat "), show(line, "beat", ": "), show(line, "verdict", ", ");
      show(line, "errorUs", " us\n");
    } else if (strstr(line, "\"method\":\"rhythm.complete\"")) {
      show(line, "hits", " hits, ");
      show(line, "misses", " misses\n");
      over = 1;
    }
  }
  return fclose(lines), over;
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  while (!play(connected())) puts("the daemon is gone");
}
