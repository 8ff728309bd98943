# SPDX-License-Identifier: Apache-2.0
# To be sourced: stages with a time and a budget, and a table of them at the end. All stages run, whatever failed
# before, so that one run tells everything.
stage_names=() stage_seconds=() stage_budgets=() stage_verdicts=()

# stage NAME BUDGET_MINUTES COMMAND…: fails by its command or by its budget.
stage() {
  local name=$1 budget=$2 begun=$SECONDS status=0 took verdict=passed
  shift 2
  printf '\n===== %s (budget %s min): %s\n' "$name" "$budget" "$*"
  # Half over its budget a stage hangs: it is ended, so that the table is printed in any case.
  timeout --kill-after=30 $((budget * 90)) "$@" || status=$?
  took=$((SECONDS - begun))
  ((status == 0)) || verdict="FAILED (exit status $status)"
  ((took <= budget * 60)) || verdict="FAILED: OVER ITS BUDGET of $budget min"
  printf '===== %s: %s, %d s of %d s\n' "$name" "$verdict" "$took" $((budget * 60))
  stage_names+=("$name") stage_seconds+=("$took") stage_budgets+=("$budget") stage_verdicts+=("$verdict")
}

# Prints the table; its status is 1 when a stage failed.
stages_end() {
  local i status=0
  printf '\n%-12s %9s %9s   %s\n' stage seconds budget verdict
  for i in "${!stage_names[@]}"; do
    printf '%-12s %9d %9d   %s\n' "${stage_names[i]}" "${stage_seconds[i]}" $((stage_budgets[i] * 60)) "${stage_verdicts[i]}"
    [[ ${stage_verdicts[i]} == passed ]] || status=1
  done
  return "$status"
}
