#!/usr/bin/env bash
# 200 clients query the span from three loopback agents for 30 s; checks every reply, memory and open files.
# Not measured: the time of one reply.    usage: bench/load_agents.sh [build/release/bin] [seconds]
set -euo pipefail
folder=${1:-build/release/bin}
FEMFLEX_LOAD_SECONDS=${2:-30} "$folder/service_tests" --gtest_filter='*AnswerManyClientsRightWithoutGrowth' --gtest_output=json:/dev/stdout |
  grep -E '"(answers|resident_kb|time)"|PASSED|FAILED'
