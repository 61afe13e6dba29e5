#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Renders the audio of Starlight Sync: two tracks of music and five effects.

    render-audio.py DIRECTORY

Needs nothing but Python 3. The same bytes come out of every run.

The music loops without a seam: 17 bars of 4/4 at 85 BPM are 48 s exactly, a whole number of frames, and every tail
that reaches past the end is added to the beginning. The chapter Firewall is tapped on beats 2 and 4 of each bar, the
snare's; in `main` a bell marks each of them too, on the left, on the right and high in the middle, as its lanes go.
"""

import math
import os
import random
import sys
import wave
from array import array
from operator import add

RATE = 44_100
BPM = 85
BARS = 17
BEATS = BARS * 4
FRAMES = BEATS * 60 * RATE // BPM
PEAK = 10 ** (-3.5 / 20)


def frame_of(beat):
    """The frame nearest to a beat, which may be a fraction."""
    return round(beat * FRAMES / BEATS)


def frequency(note):
    """Hertz of a MIDI note number."""
    return 440 * 2 ** ((note - 69) / 12)


# --- Shapes: each function returns a list of samples, at most 1 in size unless it says so.


def decay(frames, seconds):
    """An exponential that falls by a factor of e in `seconds`."""
    ratio = math.exp(-1 / (seconds * RATE))
    out, level = [], 1.0
    for _ in range(frames):
        out.append(level)
        level *= ratio
    return out


def faded(samples, attack=0.001, release=0.005):
    """The same samples, rising from and falling to nothing at their ends, so that neither end clicks."""
    out = list(samples)
    rise, fall = int(attack * RATE), int(release * RATE)
    for i in range(rise):
        out[i] *= 0.5 - 0.5 * math.cos(math.pi * i / rise)
    for i in range(fall):
        out[-1 - i] *= 0.5 - 0.5 * math.cos(math.pi * i / fall)
    return out


def noise(frames, seed):
    generator = random.Random(seed)
    return [generator.random() * 2 - 1 for _ in range(frames)]


def low_pass(samples, hertz):
    """One pole."""
    k = 1 - math.exp(-2 * math.pi * hertz / RATE)
    out, level = [], 0.0
    for sample in samples:
        level += k * (sample - level)
        out.append(level)
    return out


def high_pass(samples, hertz):
    return [a - b for a, b in zip(samples, low_pass(samples, hertz))]


def sweep(frames, hertz_of, shape=math.sin):
    """An oscillator whose frequency is a function of seconds."""
    out, phase = [], 0.0
    for i in range(frames):
        out.append(shape(phase))
        phase += 2 * math.pi * hertz_of(i / RATE) / RATE
    return out


def tone(hertz, frames, partials, detune=0.0):
    """A steady sum of sines (amplitude, whole multiple), made of a few whole cycles repeated, which is quick.

    The cycles are chosen so that the pitch is right within 0.05 %.
    """
    hertz *= 1 + detune
    cycles = max(1, math.ceil(hertz / 40))
    period = round(cycles * RATE / hertz)
    sine = [math.sin(2 * math.pi * i / period) for i in range(period)]
    table = [0.0] * period
    for amplitude, multiple in partials:
        stride = cycles * multiple % period
        table = [t + amplitude * s for t, s in zip(table, (sine * stride)[::stride])]
    return (table * (frames // period + 1))[:frames]


def saw(hertz, limit=6_000, rolloff=1.0):
    """Partials of a band-limited saw."""
    return [(0.6 / n**rolloff, n) for n in range(1, max(2, int(min(limit, 16_000) / hertz) + 1))]


# --- Instruments.


def kick():
    frames = int(0.34 * RATE)
    body = sweep(frames, lambda t: 47 + 120 * math.exp(-t / 0.028))
    click = low_pass(noise(frames, 1), 3_000)
    fast, slow = decay(frames, 0.004), decay(frames, 0.11)
    return faded([b * s + 0.5 * c * f for b, s, c, f in zip(body, slow, click, fast)], 0.0005, 0.03)


def snare():
    """With the gated reverberation of its time: a bright tail that stops short."""
    frames, gate = int(0.36 * RATE), int(0.27 * RATE)
    hiss = high_pass(low_pass(noise(frames, 2), 9_000), 900)
    body = sweep(frames, lambda t: 175 + 110 * math.exp(-t / 0.012))
    crack, drum, tail = decay(frames, 0.03), decay(frames, 0.06), decay(frames, 0.22)
    close = [1.0] * gate + decay(frames - gate, 0.018)
    room = [t * c for t, c in zip(tail, close)]
    out = [h * (c + 0.42 * r) + 0.65 * b * d for h, c, r, b, d in zip(hiss, crack, room, body, drum)]
    return faded(out, 0.0004, 0.02)


def hat(seconds, seed):
    frames = int(seconds * 4 * RATE)
    return faded([n * d for n, d in zip(high_pass(noise(frames, seed), 7_000), decay(frames, seconds))], 0.0004)


def bass(note, beats=0.25):
    """A plucked saw: bright at first, dull soon."""
    frames = int(beats * 60 / BPM * RATE * 0.96)
    hertz = frequency(note)
    bright, dull = tone(hertz, frames, saw(hertz, 3_600)), tone(hertz, frames, saw(hertz, 420))
    swell, level = decay(frames, 0.05), decay(frames, 0.25)
    return faded([(b * s + d * (1 - s)) * v for b, s, d, v in zip(bright, swell, dull, level)], 0.002, 0.012)


def pluck(note, seconds=0.16, brightness=9_000):
    frames = int(seconds * 4.5 * RATE)
    hertz = frequency(note)
    wide, narrow = tone(hertz, frames, saw(hertz, brightness)), tone(hertz, frames, saw(hertz, hertz * 2.5), 0.0015)
    fast, slow = decay(frames, seconds / 3), decay(frames, seconds)
    return faded([0.6 * w * f + 0.5 * n * s for w, f, n, s in zip(wide, fast, narrow, slow)], 0.002, 0.02)


def bell(note):
    frames = int(0.8 * RATE)
    hertz = frequency(note)
    out = [0.0] * frames
    for amplitude, multiple, seconds in ((1.0, 1, 0.22), (0.45, 2.756, 0.1), (0.25, 5.404, 0.05)):
        partial = tone(hertz * multiple, frames, [(amplitude, 1)])
        out = [o + p * d for o, p, d in zip(out, partial, decay(frames, seconds))]
    return faded(out, 0.001, 0.05)


def pad(notes, beats, detune):
    """A soft chord for one ear; the other ear's is detuned the other way. It steps back on every beat and swells."""
    frames = frame_of(beats)
    out = [0.0] * frames
    for index, note in enumerate(notes):
        hertz = frequency(note)
        out = list(map(add, out, tone(hertz, frames, saw(hertz, 1_700, 1.1), detune * (1 if index % 2 else -1))))
    pump = [1 - 0.55 * level for level in faded(decay(frame_of(1) + 1, 0.12), 0.005, 0)]
    for beat in range(math.ceil(beats)):
        at, end = frame_of(beat), min(frames, frame_of(beat + 1))
        out[at:end] = [sample * level for sample, level in zip(out[at:end], pump)]
    # Long edges: neighbours overlap and blend.
    return faded(out, 0.12, 0.25)


def lead(note, beats):
    frames = frame_of(beats * 0.98)
    hertz = frequency(note)
    left, right = tone(hertz, frames, saw(hertz, 7_000), 0.002), tone(hertz, frames, saw(hertz, 7_000), -0.002)
    return faded([0.5 * (a + b) for a, b in zip(left, right)], 0.015, 0.06)


# --- Mixing. A row of samples is one large integer with 64 bits a sample, sample i counting 2^(64 i) times: adding two
# rows, scaling one and moving one in time are then single operations on integers, a hundred times quicker than loops.

LANE = 64
HALF = 1 << 62
ONE = 1 << 20  # a sample of 1.0
UNITY = 1 << 16  # a gain of 1.0


def constant(value, frames):
    """A row of `frames` samples that are all `value`, from 0 to 2^64 - 1."""
    return int.from_bytes(value.to_bytes(8, "little") * frames, "little")


def packed(samples):
    """The row of those samples."""
    words = array("Q", [round(ONE * sample) + HALF for sample in samples])
    if sys.byteorder == "big":
        words.byteswap()
    return int.from_bytes(words.tobytes(), "little") - constant(HALF, len(samples))


def unpacked(row, frames):
    """The bytes of a row's samples, each with HALF added, little end first."""
    return (row + constant(HALF, frames)).to_bytes(8 * frames, "little")


class Stereo:
    """Two rows of samples; what is played at a beat falls on the frame nearest to it."""

    def __init__(self):
        self.rows = [0, 0]

    def play(self, row, beat, gain, pan=0, origin=0):
        """Adds a row at a beat counted from `origin`; `pan` from -1 to 1 at equal power, 0 dB in the middle."""
        angle = (pan + 1) * math.pi / 4
        at = frame_of(origin + beat) - frame_of(origin)
        for side, share in enumerate((math.cos(angle), math.sin(angle))):
            self.rows[side] += (row * round(UNITY * gain * share * math.sqrt(2))) << (LANE * at)

    def place(self, block):
        """Adds all of another."""
        self.rows = list(map(add, self.rows, block.rows))


class Track:
    """Music bar by bar; what rings past the end of the last bar comes back in the first."""

    def __init__(self):
        self.bars = [Stereo() for _ in range(BARS)]

    def play(self, row, beat, gain, pan=0):
        bar = int(beat // 4)
        self.bars[bar].play(row, beat - 4 * bar, gain, pan, 4 * bar)

    def channels(self):
        """For each side the bars as (row, frames), each as long as its bar."""
        sides = []
        for side in range(2):
            rest, bars = 0, []
            for bar in range(BARS + 1):
                frames = frame_of(4 * bar + 4) - frame_of(4 * bar)
                row = rest + (self.bars[bar].rows[side] if bar < BARS else bars[0][0])
                # With HALF added no sample is negative, so the cut between two samples borrows from neither.
                rest = (row + constant(HALF, frames)) >> (LANE * frames)
                bars.append((row - (rest << (LANE * frames)), frames))
            sides.append([bars[BARS]] + bars[1:BARS])
        return sides


def write(directory, name, channels):
    """Writes 16-bit frames; a channel is a list of (row, frames). No DC, peak at -3.5 dBFS."""
    levels = []
    for channel in channels:
        words = array("Q", b"".join(unpacked(row, frames) for row, frames in channel))
        if sys.byteorder == "big":
            words.byteswap()
        mean = sum(words) // len(words)
        levels.append((mean - HALF, max(max(words) - mean, mean - min(words))))
    # A 16-bit sample is bits 32 to 47 of the scaled row.
    scale = int(PEAK * 32_767 * (1 << 32) / max(peak for _, peak in levels))
    frames = sum(frames for _, frames in channels[0])
    out = bytearray(2 * len(channels) * frames)
    for index, (channel, (mean, _)) in enumerate(zip(channels, levels)):
        centre = (1 << 31) - mean * scale
        data = b"".join(unpacked(row * scale + constant(1, frames) * centre, frames) for row, frames in channel)
        for byte in range(2):
            out[2 * index + byte :: 2 * len(channels)] = data[4 + byte :: 8]
    with wave.open(os.path.join(directory, name), "wb") as file:
        file.setnchannels(len(channels))
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(bytes(out))


def once(make):
    """Remembers what a function has made: notes and blocks of music come back again and again."""
    made = {}

    def remembered(*arguments):
        if arguments not in made:
            made[arguments] = make(*arguments)
        return made[arguments]

    return remembered


def rendered(instrument):
    """That instrument's row for given arguments."""
    return once(lambda *arguments: packed(instrument(*arguments)))


kick_row, snare_row, hat_row, bass_row = map(rendered, (kick, snare, hat, bass))
pluck_row, bell_row, lead_row, pad_row = map(rendered, (pluck, bell, lead, pad))


# --- The music. Chords are a bass note and the notes above it; one bar each.

A_MINOR = (33, (57, 60, 64, 69))
F_MAJOR = (29, (57, 60, 65, 69))
C_MAJOR = (36, (55, 60, 64, 67))
G_MAJOR = (31, (55, 59, 62, 67))
D_MINOR = (38, (57, 62, 65, 69))
E_MAJOR = (28, (56, 59, 64, 68))


@once
def drum_bar(full, extra_kick, open_hats):
    """Kick on 1 and 3 (`full`: on every beat), snare on 2 and 4, hats between."""
    bar = Stereo()
    for beat in range(4):
        if full or beat % 2 == 0:
            bar.play(kick_row(), beat, 0.8)
        if beat % 2 == 1:
            bar.play(snare_row(), beat, 0.7)
        for quarter in range(4):
            bar.play(hat_row(0.025, 3), beat + quarter / 4, (0.16, 0.07, 0.12, 0.07)[quarter], 0.3)
        if open_hats:
            bar.play(hat_row(0.09, 4), beat + 0.5, 0.13, -0.3)
    if extra_kick:
        bar.play(kick_row(), 2.5, 0.6)
    return bar


@once
def bass_bar(root, steps, gain):
    """Sixteenths: semitones above the root, over and over."""
    bar = Stereo()
    for step in range(16):
        bar.play(bass_row(root + steps[step % len(steps)]), step / 4, gain * (1 if step % 4 == 0 else 0.8))
    return bar


@once
def pad_bar(notes, gain):
    bar = Stereo()
    bar.play(pad_row(notes, 4.2, 0.0018), 0, gain, -1)
    bar.play(pad_row(notes, 4.2, -0.0023), 0, gain, 1)
    return bar


@once
def arpeggio_bar(notes, order, gain):
    """Eighths through the chord, each with an echo three sixteenths later on the other side."""
    bar = Stereo()
    for step in range(8):
        for echo in range(3):
            side = (0.5 if step % 2 else -0.5) * (-1) ** echo
            bar.play(pluck_row(notes[order[step]] + 12), step / 2 + 0.75 * echo, gain * 0.42**echo, side)
    return bar


def band(track, bars, full, pad_gain, bass_gain, bass_steps, arpeggio_from, order, arpeggio_gain):
    """Everything but the melody."""
    for bar, (root, notes) in enumerate(bars):
        track.bars[bar].place(pad_bar(notes, pad_gain))
        track.bars[bar].place(drum_bar(full, bar % 2 == 1 and not full, full or bar >= 8))
        track.bars[bar].place(bass_bar(root, bass_steps, bass_gain))
        if bar >= arpeggio_from:
            track.bars[bar].place(arpeggio_bar(notes, order, arpeggio_gain))
    # A fill leads back to the beginning.
    for step in range(6):
        track.play(snare_row(), BEATS - 1 + (step + 2) / 8, 0.2 + 0.07 * step, -0.4 + 0.16 * step)


def melody(track, notes, start, gain):
    """Pairs of note and beats (None rests), with one quiet echo."""
    beat = start
    for note, beats in notes:
        if note is not None:
            track.play(lead_row(note, beats), beat, gain, 0.1)
            track.play(lead_row(note, beats), beat + 0.75, gain * 0.3, -0.5)
        beat += beats


def main_track():
    track = Track()
    bars = [A_MINOR, F_MAJOR, C_MAJOR, G_MAJOR] * 2 + [D_MINOR, F_MAJOR, A_MINOR, E_MAJOR]
    bars += [A_MINOR, F_MAJOR, C_MAJOR, G_MAJOR] + [E_MAJOR]
    band(track, bars, False, 0.12, 0.5, (0, 0, 12, 0, 0, 12, 0, 7), 4, (0, 1, 2, 3, 2, 1, 2, 1), 0.15)
    melody(track, ((69, 3), (72, 1), (71, 2), (67, 2), (64, 3), (67, 1), (62, 4)), 48, 0.16)
    # The beats of the chapter: lanes left, right, top in turn.
    for n in range(BEATS // 2):
        track.play(bell_row((76, 81, 88)[n % 3]), 2 * n + 1, 0.3, (-0.8, 0.8, 0)[n % 3])
    return track


def finale_track():
    track = Track()
    bars = [C_MAJOR, G_MAJOR, A_MINOR, F_MAJOR] * 4 + [G_MAJOR]
    band(track, bars, True, 0.13, 0.45, (0, 12, 0, 12, 7, 12, 0, 12), 0, (0, 2, 1, 3, 2, 3, 1, 2), 0.17)
    phrase = ((76, 1.5), (79, 1.5), (84, 1), (83, 1.5), (79, 1.5), (74, 1), (76, 1.5), (81, 1.5), (84, 1))
    melody(track, phrase + ((81, 2), (77, 2)), 0, 0.18)
    melody(track, phrase + ((79, 2), (81, 2)), 16, 0.18)
    melody(track, phrase + ((81, 2), (77, 2)), 32, 0.18)
    melody(track, phrase + ((84, 4), (83, 2), (86, 2)), 48, 0.18)
    return track


# --- The effects: short, and as unlike each other as can be.


def sfx_click():
    """A key: a tick with a spark of pitch."""
    frames = int(0.05 * RATE)
    tick, spark = high_pass(noise(frames, 10), 2_500), tone(2_600, frames, [(1, 1), (0.3, 3)])
    fast, slow = decay(frames, 0.002), decay(frames, 0.008)
    return [faded([0.5 * t * f + s * g for t, f, s, g in zip(tick, fast, spark, slow)], 0.0003)]


def sfx_lock():
    """A bolt: two knocks, then a fifth that rings."""
    frames = int(0.42 * RATE)
    out = [0.0] * frames
    knock = kick()[: int(0.09 * RATE)]
    for at, gain in ((0.0, 0.6), (0.055, 0.9)):
        start = int(at * RATE)
        for i, sample in enumerate(faded(knock, 0.0003, 0.03)):
            out[start + i] += gain * sample
    start = int(0.06 * RATE)
    for note in (79, 86):
        ring = [0.28 * s for s in bell(note)[: frames - start]]
        out[start:] = map(add, out[start:], ring)
    return [faded(out, 0.0003, 0.06)]


def sfx_error():
    """Two buzzes, the second lower."""
    frames = int(0.15 * RATE)
    odd = [(1 / n, n) for n in range(1, 16, 2)]
    out = []
    for hertz in (207.65, 155.56):
        buzz, beat = tone(hertz, frames, odd), tone(hertz, frames, odd, 0.03)
        out += faded([a + b for a, b in zip(buzz, beat)], 0.003, 0.02) + [0.0] * int(0.02 * RATE)
    return [low_pass(out, 2_800)]


def sfx_whoosh():
    """Wind from left to right, brightest in the middle."""
    frames = int(0.7 * RATE)
    hiss, level, low, band = noise(frames, 11), 0.0, 0.0, []
    for i, sample in enumerate(hiss):
        # A state-variable filter whose band rises and falls.
        middle = math.sin(math.pi * i / frames)
        k = 2 * math.sin(math.pi * (250 + 2_600 * middle**2) / RATE)
        low += k * level
        level += k * (sample - low - 0.7 * level)
        band.append(level * middle**2)
    pans = [i / frames * math.pi / 2 for i in range(frames)]
    left = [b * math.cos(p) for b, p in zip(band, pans)]
    right = [b * math.sin(p) for b, p in zip(band, pans)]
    return [faded(left, 0.01, 0.02), faded(right, 0.01, 0.02)]


def sfx_power():
    """A machine that wakes: a rising fifth that opens, then a chord."""
    frames = int(1.3 * RATE)
    out = [0.0] * frames
    for ratio, gain in ((1, 0.5), (1.5, 0.35), (2.005, 0.3)):
        pitch = lambda t, start=70 * ratio: start * 2 ** (2 * min(1, t / 0.8))
        rise = sweep(frames, pitch, lambda phase: math.sin(phase + 1.2 * math.sin(phase)))
        out = [o + gain * r for o, r in zip(out, rise)]
    swell = [min(1, i / (0.8 * RATE)) ** 2 for i in range(frames)]
    fall = [1.0] * int(0.85 * RATE)
    fall += decay(frames - len(fall), 0.12)
    out = [o * s * f for o, s, f in zip(out, swell, fall)]
    start = int(0.8 * RATE)
    for note in (72, 79, 84):
        out[start:] = map(add, out[start:], [0.22 * s for s in bell(note)[: frames - start]] + [0.0] * frames)
    return [faded(out, 0.005, 0.08)]


def effect(channels):
    """Ready to be written: freed of DC by a bow that is nothing at both ends, where a constant would click."""
    rows = []
    for samples in channels:
        frames, total = len(samples), math.fsum(samples)
        bow = [1 - math.cos(2 * math.pi * (i + 0.5) / frames) for i in range(frames)]
        rows.append([(packed([s - total / frames * b for s, b in zip(samples, bow)]), frames)])
    return rows


def main(arguments):
    if len(arguments) != 2 or arguments[1].startswith("-"):
        print("usage: render-audio.py DIRECTORY", file=sys.stderr)
        return 2
    directory = arguments[1]
    os.makedirs(directory, exist_ok=True)
    write(directory, "main.wav", main_track().channels())
    write(directory, "finale.wav", finale_track().channels())
    write(directory, "sfx_click.wav", effect(sfx_click()))
    write(directory, "sfx_lock.wav", effect(sfx_lock()))
    write(directory, "sfx_error.wav", effect(sfx_error()))
    write(directory, "sfx_whoosh.wav", effect(sfx_whoosh()))
    write(directory, "sfx_power.wav", effect(sfx_power()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
