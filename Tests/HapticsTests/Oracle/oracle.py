#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""What random patterns feel like, worked out the slow way from the rules alone.

    python3 Tests/HapticsTests/Oracle/oracle.py > Tests/HapticsTests/Oracle/patterns.json

writes the patterns and the levels that OracleTests.swift holds the Swift code against. Nothing is compiled, sorted or
merged here: for each instant every event and every curve of the file is asked anew, in floating point seconds.

    python3 Tests/HapticsTests/Oracle/oracle.py *.ahap > /tmp/cases.json
    STARLIGHT_ORACLE_CASES=/tmp/cases.json swift test --filter OracleTests

does it with files of one's own, and `--seeds 1-200` in place of their names with one random pattern for each of these seeds.
"""

import json
import random
import re
import sys
from fractions import Fraction

TRANSIENT, CONTINUOUS = "HapticTransient", "HapticContinuous"
NEUTRAL = {"HapticIntensityControl": 1.0}
DEFAULTS = {
    TRANSIENT: {"HapticIntensity": 0.75, "HapticSharpness": 0.5},
    CONTINUOUS: {"HapticIntensity": 0.6, "HapticSharpness": 0.422601, "Sustained": 1.0},
}


def clamp(x, low, high):
    return low if x < low else high if x > high else x


def later(a, b):
    """A sum of times, back on its microsecond, so that equal instants are equal."""
    return round(a + b, 6)


def control(pattern, name, t):
    """The value of a dynamic parameter at t: of the entry that took hold last."""
    holder, since = None, None
    for entry in pattern:
        if "Parameter" in entry:
            c = entry["Parameter"]
            points = [(c["Time"], c["ParameterValue"])]
        elif "ParameterCurve" in entry:
            c = entry["ParameterCurve"]
            points = [(later(c["Time"], p["Time"]), p["ParameterValue"]) for p in c["ParameterCurveControlPoints"]]
        else:
            continue
        first = min(p[0] for p in points)
        if c["ParameterID"] == name and first <= t and (since is None or first >= since):
            holder, since = points, first
    if holder is None:
        return NEUTRAL.get(name, 0.0)
    low, high = (0, 1) if name in NEUTRAL else (-1, 1)
    before = [p for p in holder if p[0] <= t]
    after = [p for p in holder if p[0] > t]
    latest = max(p[0] for p in before)
    t0, v0 = [p for p in before if p[0] == latest][-1]
    v0 = clamp(v0, low, high)
    if not after:
        return v0
    soonest = min(p[0] for p in after)
    t1, v1 = [p for p in after if p[0] == soonest][0]
    return v0 + (clamp(v1, low, high) - v0) * (t - t0) / (t1 - t0)


def parameter(event, name):
    value = DEFAULTS[event["EventType"]].get(name, 0.0)
    for p in event.get("EventParameters", []):
        if p["ParameterID"] == name:
            value = p["ParameterValue"]
    return clamp(value, 0, 1)


def seconds(adjuster, shortest):
    return shortest + (1 - shortest) * (100 ** clamp(adjuster, 0, 1) - 1) / 99


def envelope(pattern, event, t):
    start, length = event["Time"], min(event["EventDuration"], 30)
    end = later(start, length)
    attack = seconds(parameter(event, "AttackTime") + control(pattern, "HapticAttackTimeControl", start), 0)
    decay = seconds(parameter(event, "DecayTime") + control(pattern, "HapticDecayTimeControl", start), 0.02)
    release = seconds(parameter(event, "ReleaseTime") + control(pattern, "HapticReleaseTimeControl", end), 0)
    age = t - start

    def body(age):
        if attack > 0 and age < attack:
            return age / attack
        if parameter(event, "Sustained") >= 0.5:
            return 1
        return max(0, 1 - (age - attack) / decay)

    if age < 0:
        return 0
    if age < length:
        return body(age)
    if parameter(event, "Sustained") < 0.5 or age >= length + release:
        return 0
    return body(length) * (1 - (age - length) / release)


def length(pattern):
    """When the last of it is over: a tap after its body or, if that is longer, its EventDuration."""
    last = 0
    for event in (e["Event"] for e in pattern if "Event" in e):
        start = event["Time"]
        if event["EventType"] == TRANSIENT:
            last = max(last, start + 0.02, start + event.get("EventDuration", 0))
            continue
        end = later(start, min(event["EventDuration"], 30))
        if parameter(event, "Sustained") >= 0.5:
            release = parameter(event, "ReleaseTime") + control(pattern, "HapticReleaseTimeControl", end)
            last = max(last, end + seconds(release, 0))
        else:
            attack = parameter(event, "AttackTime") + control(pattern, "HapticAttackTimeControl", start)
            decay = parameter(event, "DecayTime") + control(pattern, "HapticDecayTimeControl", start)
            last = max(last, min(end, start + seconds(attack, 0) + seconds(decay, 0.02)))
    return last


def level(pattern, t):
    """The law: strongest tap, plus the sum of the rest, clamped; sharpness weighted by intensity."""
    taps, rest = [(0.0, 0.0)], []
    factor = control(pattern, "HapticIntensityControl", t)
    shift = control(pattern, "HapticSharpnessControl", t)
    for entry in pattern:
        event = entry.get("Event")
        if event is None:
            continue
        intensity, sharpness = parameter(event, "HapticIntensity"), parameter(event, "HapticSharpness")
        if event["EventType"] == TRANSIENT:
            if event["Time"] <= t < event["Time"] + 0.02:
                taps.append((intensity * factor, clamp(sharpness + shift, 0, 1)))
        else:
            rest.append((intensity * factor * envelope(pattern, event, t), clamp(sharpness + shift, 0, 1)))
    sounding = [max(taps)] + rest
    total = sum(i for i, _ in sounding)
    if total <= 0:
        return 0.0, 0.0
    return min(total, 1), sum(i * s for i, s in sounding) / total


def random_pattern(rng):
    """Times on whole milliseconds, instants asked for half-way between them: no test stands on an edge."""

    def ms(low, high):
        return rng.randint(low, high) / 1000

    def value(low, high):
        return round(rng.uniform(low, high), 3)

    pattern = []
    for _ in range(rng.randint(0, 12)):
        names = [n for n in ("HapticIntensity", "HapticSharpness") if rng.random() < 0.8]
        event = {"Time": ms(0, 2000), "EventType": TRANSIENT}
        event["EventParameters"] = [{"ParameterID": n, "ParameterValue": value(-0.2, 1.2)} for n in names]
        if rng.random() < 0.3:
            event["EventDuration"] = ms(0, 3000)
        pattern.append({"Event": event})
    for _ in range(rng.randint(0, 6)):
        names = [n for n in ("HapticIntensity", "HapticSharpness") if rng.random() < 0.8]
        event = {"Time": ms(0, 2000), "EventType": CONTINUOUS, "EventDuration": ms(1, 1500)}
        parameters = [{"ParameterID": n, "ParameterValue": value(0, 0.7)} for n in names]
        for n in ("AttackTime", "DecayTime", "ReleaseTime"):
            if rng.random() < 0.4:
                parameters.append({"ParameterID": n, "ParameterValue": value(0, 1)})
        if rng.random() < 0.3:
            parameters.append({"ParameterID": "Sustained", "ParameterValue": rng.choice([0, 1])})
        event["EventParameters"] = parameters
        pattern.append({"Event": event})
    controls = ["HapticIntensityControl", "HapticSharpnessControl"] * 3
    controls += ["HapticAttackTimeControl", "HapticDecayTimeControl", "HapticReleaseTimeControl"]
    for _ in range(rng.randint(0, 5)):
        name = rng.choice(controls)
        low, high = (-0.2, 1.2) if name in NEUTRAL else (-1.2, 1.2)
        if rng.random() < 0.4:
            pattern.append({"Parameter": {
                "ParameterID": name, "Time": ms(0, 2500), "ParameterValue": value(low, high)}})
        else:
            times = [ms(0, 1500) for _ in range(rng.randint(1, 5))]
            if rng.random() < 0.7:
                times.sort()
            else:
                times = list(dict.fromkeys(times))  # a step needs its points in order
            pattern.append({"ParameterCurve": {
                "ParameterID": name, "Time": ms(0, 1500),
                "ParameterCurveControlPoints": [{"Time": t, "ParameterValue": value(low, high)} for t in times]}})
    rng.shuffle(pattern)
    return pattern


def random_chain(rng):
    """Vibrations that each begin where the last one ends, to half a nanosecond, and where they meet, in whole ones."""
    at, pattern, seams = Fraction(rng.randint(0, 2 * 10**8), 2 * 10**9), [], []
    for _ in range(rng.randint(2, 8)):
        duration = Fraction(rng.randint(2 * 10**6, 4 * 10**8), 2 * 10**9)
        pattern.append({"Event": {
            "Time": float(at), "EventType": CONTINUOUS, "EventDuration": float(duration),
            "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.5}]}})
        at += duration
        seams.append(int(at * 10**9))
    rng.shuffle(pattern)
    return pattern, seams[:-1]


def read_pattern(path):
    """The pattern of a file, as tolerantly read as real files need."""
    text = re.sub(r",(\s*[}\]])", r"\1", open(path, encoding="utf-8-sig").read())
    pattern = json.loads(text)["Pattern"]
    for event in (e["Event"] for e in pattern if "Event" in e):
        event.setdefault("Time", 0)
    return [e for e in pattern if "Event" not in e or e["Event"]["EventType"] in DEFAULTS]


def main():
    rng = random.Random(1609)
    cases = []
    paths = sys.argv[1:]
    seeds = None
    if paths[:1] == ["--seeds"]:
        first, last = paths[1].split("-")
        seeds, paths = range(int(first), int(last) + 1), []
    for index in range(len(paths or seeds or range(60))):
        if seeds:
            rng = random.Random(seeds[index])
        seams = []
        if paths:
            pattern = read_pattern(paths[index])
        elif rng.random() < 0.2:
            pattern, seams = random_chain(rng)
        else:
            pattern = random_pattern(rng)
        events = [e["Event"] for e in pattern if "Event" in e]
        span = max([e["Time"] + e.get("EventDuration", 0) for e in events] + [0]) + 0.2
        samples = []
        for _ in range(1000 if paths else 40):
            t = (rng.randint(0, int(span * 1000)) * 1000 + 500) / 1e6
            intensity, sharpness = level(pattern, t)
            samples.append([round(t * 1e6), round(intensity, 7), round(sharpness, 7)])
        case = {"samples": samples, "lasts": round(length(pattern) * 1e6, 1), "seams": seams}
        if seeds:
            case["seed"] = seeds[index]
        cases.append({**case, "Version": 1.0, "Pattern": pattern})
    print("[")
    print(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases))
    print("]")


if __name__ == "__main__":
    main()
