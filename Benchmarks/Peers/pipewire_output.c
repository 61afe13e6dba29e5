// SPDX-License-Identifier: Apache-2.0

// From a trigger to what a PipeWire's sink plays: a bare stream of libpipewire, or the daemon, judged by the same listener.
//
//     pipewire_output SECONDS CAPTURE native FRAMES
//     pipewire_output SECONDS CAPTURE daemon SOCKET MUSIC-LINE SOUND-LINE
//
// At odd instants a click is asked for: of a stream of this program, that asks the graph for a quantum of FRAMES, or of the
// daemon by SOUND-LINE, which shall play 48 frames of 0.5 on the left. A second stream listens to the sink's monitor and
// notes when the click's first frame is due, by the graph's clock (pw_stream_get_time_n): the sink takes it in that cycle,
// and a card adds what it keeps queued. A listener that is called late finds the next cycle's time: it errs to the late side.
//
// On the right the stream, or the track that MUSIC-LINE plays, counts frames: (n mod 4001) / 16384. CAPTURE is the file where
// all goes that the sink plays; where the count breaks in it, a cycle was missed or frames were left out.
// Prints one line of JSON, times in milliseconds.
#define _GNU_SOURCE
#include <math.h>
#include <pipewire/pipewire.h>
#include <sched.h>
#include <spa/param/audio/format-utils.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { rate = 48000, channels = 2, click_frames = 48, turn = 4001, most = 1 << 16, line_limit = 1 << 16 };
// As many frames that count on are a source that goes on elsewhere; breaks that are less than so many apart are one miss.
enum { steady = 16, apart = 480 };
static const char sink[] = "starlight", when[] = "\"scheduledUs\":", fill[] = "\"bufferFrames\":", dry[] = "\"xruns\":";
static const char status[] = "{\"id\":3,\"method\":\"engine.status\"}";

static long long now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

// The time of a stream's cycle, and whether the one before it was the stream's own.
struct side {
  struct pw_stream *stream;
  struct spa_hook hook;
  uint64_t next;
  long long skipped;
  int is_real_time;
};

static struct pw_time cycle_begun(struct side *side, uint32_t frames) {
  struct pw_time time;
  pw_stream_get_time_n(side->stream, &time, sizeof time);
  if (side->next && time.ticks != side->next) side->skipped++;
  side->next = time.ticks + frames;
  side->is_real_time = sched_getscheduler(0) != SCHED_OTHER;
  return time;
}

// The output: counts on the right; on the left clicks from the first frame of the cycle that finds it asked for.
static struct {
  struct side side;
  atomic_int asked;
  int click, count;
} output;

static void output_process(void *data) {
  (void)data;
  struct pw_buffer *buffer = pw_stream_dequeue_buffer(output.side.stream);
  if (!buffer) return;
  struct spa_data *block = &buffer->buffer->datas[0];
  uint32_t stride = channels * sizeof(float), frames = block->maxsize / stride;
  if (buffer->requested && buffer->requested < frames) frames = buffer->requested;
  cycle_begun(&output.side, frames);
  if (atomic_exchange(&output.asked, 0)) output.click = click_frames;
  float *samples = block->data;
  for (uint32_t frame = 0; frame < frames; frame++) {
    samples[channels * frame] = output.click > 0 ? output.click--, 0.5f : 0;
    samples[channels * frame + 1] = output.count++ / 16384.0f;
    if (output.count == turn) output.count = 0;
  }
  *block->chunk = (struct spa_chunk){.size = frames * stride, .stride = stride};
  buffer->size = frames;
  pw_stream_queue_buffer(output.side.stream, buffer);
}

// The listener. What is written here is read by others only after the count that tells of it.
static struct {
  struct side side;
  long long heard_ns[most];
  atomic_int heard;
  long long quiet;
  uint32_t quantum_least, quantum_most;
} listener;

static void listener_process(void *data) {
  (void)data;
  struct pw_buffer *buffer = pw_stream_dequeue_buffer(listener.side.stream);
  if (!buffer) return;
  struct spa_data *block = &buffer->buffer->datas[0];
  uint32_t frames = block->chunk->size / (channels * sizeof(float));
  const float *samples = (const float *)((const char *)block->data + block->chunk->offset);
  struct pw_time time = cycle_begun(&listener.side, frames);
  if (!listener.quantum_least || frames < listener.quantum_least) listener.quantum_least = frames;
  if (frames > listener.quantum_most) listener.quantum_most = frames;
  for (uint32_t frame = 0; frame < frames; frame++) {
    int is_loud = samples[channels * frame] > 0.25f, heard = atomic_load(&listener.heard);
    if (is_loud && listener.quiet > click_frames && heard < most) {
      listener.heard_ns[heard] = time.now + frame * 1000000000LL / rate;
      atomic_store(&listener.heard, heard + 1);
    }
    listener.quiet = is_loud ? 0 : listener.quiet + 1;
  }
  pw_stream_queue_buffer(listener.side.stream, buffer);
}

// What broke in the captured count.
struct breaks {
  long long frames, misses;
};

// The frame of the source modulo its turn, less the capture's, which stays the same as long as nothing is left out.
static int offset_of(float sample, long long frame) {
  float scaled = sample * 16384, count = roundf(scaled);
  if (fabsf(scaled - count) > 0.25f || count < 0 || count >= turn) return -1;
  return ((int)count - (int)(frame % turn) + turn) % turn;
}

static struct breaks breaks_between(const char *path, long long first, long long end) {
  FILE *file = fopen(path, "r");
  if (!file || fseek(file, first * channels * sizeof(float), SEEK_SET)) fail(path);
  struct breaks breaks = {0};
  int expected = -1, candidate = -1, agreed = 0;
  long long last_bad = -apart - 1;
  float samples[channels];
  for (long long frame = first; frame < end && fread(samples, sizeof samples, 1, file) == 1; frame++, breaks.frames++) {
    int offset = offset_of(samples[1], frame);
    agreed = offset >= 0 && offset == candidate ? agreed + 1 : 1;
    candidate = offset;
    if (expected < 0 || (offset >= 0 && agreed >= steady)) expected = offset;
    if (offset == expected && offset >= 0) continue;
    if (frame - last_bad > apart) breaks.misses++;
    last_bad = frame;
  }
  fclose(file);
  return breaks;
}

static long long frames_of(const char *path) {
  struct stat file;
  if (stat(path, &file)) fail(path);
  return file.st_size / (channels * sizeof(float));
}

static const struct pw_stream_events output_events = {PW_VERSION_STREAM_EVENTS, .process = output_process};
static const struct pw_stream_events listener_events = {PW_VERSION_STREAM_EVENTS, .process = listener_process};

static struct pw_context *connected_stream(struct pw_loop *loop, const char *name, int is_output, int frames) {
  struct pw_properties *properties = pw_properties_new(
    PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY, is_output ? "Playback" : "Capture", PW_KEY_NODE_NAME, name,
    "target.object", sink, NULL);
  if (!is_output) pw_properties_set(properties, PW_KEY_STREAM_CAPTURE_SINK, "true");
  if (frames) pw_properties_setf(properties, PW_KEY_NODE_LATENCY, "%d/%d", frames, rate);
  // Each has a context, and so a real-time thread, of its own, as programs have.
  struct pw_context *context = pw_context_new(loop, pw_properties_new(PW_KEY_CONFIG_NAME, "client-rt.conf", NULL), 0);
  struct pw_core *core = context ? pw_context_connect(context, NULL, 0) : NULL;
  if (!core) fail("pw_context_connect");
  struct pw_stream *stream = pw_stream_new(core, name, properties);
  if (!stream) fail("pw_stream_new");
  struct side *side = is_output ? &output.side : &listener.side;
  pw_stream_add_listener(stream, &side->hook, is_output ? &output_events : &listener_events, NULL);
  uint8_t room[1024];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, sizeof room);
  struct spa_audio_info_raw info = {
    .format = SPA_AUDIO_FORMAT_F32, .rate = rate, .channels = channels, .position = {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR}};
  const struct spa_pod *format = spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &info);
  enum pw_stream_flags flags = PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS;
  side->stream = stream;
  if (pw_stream_connect(stream, is_output ? PW_DIRECTION_OUTPUT : PW_DIRECTION_INPUT, PW_ID_ANY, flags, &format, 1))
    fail("pw_stream_connect");
  return context;
}

static int connected_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address)) fail(path);
  return descriptor;
}

// Sends a line, and gives the number of that name in the reply; 0 where there is none.
static long long asked(int socket, const char *line, const char *name) {
  static char answer[line_limit];
  size_t length = strlen(line), count = 0;
  if (send(socket, line, length, MSG_NOSIGNAL) != (ssize_t)length || send(socket, "\n", 1, MSG_NOSIGNAL) != 1) fail("send");
  do {
    ssize_t got = recv(socket, answer + count, sizeof answer - 1 - count, 0);
    if (got <= 0) fail("recv");
    count += got;
  } while (answer[count - 1] != '\n');
  answer[count] = 0;
  if (strstr(answer, "\"error\"")) exit((fprintf(stderr, "%s", answer), 1));
  char *found = strstr(answer, name);
  return found ? atoll(found + strlen(name)) : 0;
}

static int ascending(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double at(double *values, int count, double part) { return count ? values[(int)(part * (count - 1))] : NAN; }

// A wait between two numbers of milliseconds, any of them as likely: graphs and clocks know nothing of it.
static void wait_ms(double least, double longest) {
  double ms = least + (longest - least) * drand48();
  struct timespec time = {(time_t)(ms / 1e3), (long)(fmod(ms, 1e3) * 1e6)};
  nanosleep(&time, NULL);
}

int main(int count, char **words) {
  int is_native = count == 5 && strcmp(words[3], "native") == 0;
  if (!is_native && (count != 7 || strcmp(words[3], "daemon"))) return 2;
  double seconds = atof(words[1]);
  srand48(now_ns());
  pw_init(NULL, NULL);
  struct pw_thread_loop *loop = pw_thread_loop_new("streams", NULL);
  pw_thread_loop_lock(loop);
  if (pw_thread_loop_start(loop)) fail("pw_thread_loop_start");
  struct pw_context *listening = connected_stream(pw_thread_loop_get_loop(loop), "listener", 0, 0);
  struct pw_context *playing =
    is_native ? connected_stream(pw_thread_loop_get_loop(loop), "native", 1, atoi(words[4])) : NULL;
  pw_thread_loop_unlock(loop);
  int socket = is_native ? -1 : connected_socket(words[4]);
  if (!is_native) asked(socket, words[5], when);
  // Until all is linked and the track has faded in.
  wait_ms(3000, 3000);
  output.side.skipped = listener.side.skipped = listener.quantum_least = listener.quantum_most = 0;
  long long first = frames_of(words[2]);
  // The instants are this thread's: it shall not be late itself. The streams' own threads are above it.
  struct sched_param priority = {.sched_priority = 1};
  sched_setscheduler(0, SCHED_FIFO, &priority);
  prctl(PR_SET_TIMERSLACK, 1);
  static double late[most], past_told[most];
  int clicks = 0, unheard = 0;
  for (long long end = now_ns() + (long long)(seconds * 1e9); now_ns() < end && clicks < most;) {
    wait_ms(30, 130);
    int before = atomic_load(&listener.heard);
    long long triggered = now_ns(), told = 0;
    if (is_native) atomic_store(&output.asked, 1);
    else told = asked(socket, words[6], when);
    int left = 200;
    while (atomic_load(&listener.heard) == before && left-- > 0) wait_ms(2.5, 2.5);
    late[clicks] = left < 0 ? -INFINITY : (listener.heard_ns[before] - triggered) / 1e6;
    // A cycle's time is when it was due: it may have begun just before the trigger; what came earlier is another's click.
    if (late[clicks] * rate / 1e3 < -(double)listener.quantum_most) {
      unheard++;
      continue;
    }
    past_told[clicks++] = (listener.heard_ns[before] / 1e3 - told) / 1e3;
  }
  sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0});
  struct breaks breaks = breaks_between(words[2], first, frames_of(words[2]));
  qsort(late, clicks, sizeof *late, ascending);
  qsort(past_told, clicks, sizeof *past_told, ascending);
  printf("{\"clicks\": %d, \"unheard\": %d, \"least\": %.2f, \"p50\": %.2f, \"p99\": %.2f, \"longest\": %.2f, ", clicks, unheard,
         at(late, clicks, 0), at(late, clicks, 0.5), at(late, clicks, 0.99), at(late, clicks, 1));
  if (!is_native)
    printf("\"told_p50\": %.2f, \"told_p99\": %.2f, \"ahead\": %lld, \"xruns\": %lld, ", at(past_told, clicks, 0.5),
           at(past_told, clicks, 0.99), asked(socket, status, fill), asked(socket, status, dry));
  printf("\"misses\": %lld, \"seconds\": %.1f, \"skipped\": %lld, \"deaf\": %lld, \"quantum\": [%u, %u], \"real_time\": %s}\n",
         breaks.misses, breaks.frames / (double)rate, output.side.skipped, listener.side.skipped,
         listener.quantum_least, listener.quantum_most,
         listener.side.is_real_time && (!is_native || output.side.is_real_time) ? "true" : "false");
  pw_thread_loop_lock(loop);
  pw_context_destroy(listening);
  if (playing) pw_context_destroy(playing);
  pw_thread_loop_unlock(loop);
  pw_thread_loop_stop(loop);
  pw_thread_loop_destroy(loop);
  pw_deinit();
  return 0;
}
