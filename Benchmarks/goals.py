# SPDX-License-Identifier: Apache-2.0

"""What a benchmark found beside what is wanted of it."""
import os


def goals_are_met(goals):
    """Prints (what, measured, the most that is wanted) as a table; whether all are met."""
    print("\n| goal | measured | wanted | |\n| --- | ---: | --- | --- |")
    for what, measured, most in goals:
        print(f"| {what} | {measured:.2f} | at most {most} | {'met' if measured <= most else 'missed'} |")
    print(f"\nload {os.getloadavg()[0]:.1f} at the end")
    return all(measured <= most for _, measured, most in goals)
