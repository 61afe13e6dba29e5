#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Writes the audio of the pack: a drum loop of two bars at 120 BPM, and a bell."""
import array
import math
import os
import wave

RATE = 48_000
PACK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "packs", "first-steps")


def struck(seconds, hertz, decay):
    """A tone that is struck and dies away, a value a frame."""
    return [math.sin(2 * math.pi * hertz * n / RATE) * math.exp(-n / RATE / decay) for n in range(int(seconds * RATE))]


def write(name, frames):
    with wave.open(os.path.join(PACK, name), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(array.array("h", [round(32_767 * 0.5 * value) for value in frames]).tobytes())


drum = struck(0.5, 60, 0.12)
tick = [low + 0.3 * high for low, high in zip(drum, struck(0.5, 1_500, 0.01))]
write("loop.wav", (tick + drum * 3) * 2)
write("bell.wav", [0.6 * low + 0.4 * high for low, high in zip(struck(1, 880, 0.3), struck(1, 2_430, 0.1))])
