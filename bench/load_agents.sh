#!/usr/bin/env bash
# 200 clients ask the span of three loopback agents for 30 s; checks every answer, memory and open files.
# What it does not tell: the time of one answer.    usage: bench/load_agents.sh [build/release/bin] [seconds]
set -euo pipefail
folder=${1:-build/release/bin}
FEMFLEX_LOAD_SECONDS=${2:-30} "$folder/service_tests" --gtest_filter='*AnswerManyClientsRightWithoutGrowth' --gtest_output=json:/dev/stdout |
  grep -E '"(answers|resident_kb|time)"|PASSED|FAILED'
