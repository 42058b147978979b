// Shell scripts for a Slurm array, GNU parallel and mpiexec. Each part of a study writes its own
// table; a killed part resumes where it stopped. Another script reduces one model on several
// machines.
#include "verbs/template_jobs.h"

namespace femflex::verbs {

const char* const kSlurmJob = R"sh(#!/bin/sh
# A study as a Slurm array: every task makes one part of the runs, with as many threads as it has
# processors. A task that is killed and queued again goes on where it was.
#   femflex new truck        the system of this example
#   sbatch SCRIPT            makes the parts; again for those that were lost
#   sh SCRIPT merge          when all are done: one table, its CSV and its page
#SBATCH --job-name=femflex-study
#SBATCH --array=1-4
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
set -eu
FEMFLEX=${FEMFLEX:-femflex}
SYSTEM=${SYSTEM:-truck.json}
FOLDER=${FOLDER:-study}
PARTS=${PARTS:-4}  # the last number of --array

study() {  # what is varied and measured
  "$FEMFLEX" study "$SYSTEM" --vary k=1e5:3e5 --vary c=5e3:2e4 --sample lhs:200 --seed 1 \
    --measure comfort=rms:chassis/701/acceleration/z@0.5-80Hz \
    --measure travel=range:chassis/301/position/z "$@"
}

mkdir -p "$FOLDER"
if [ "${1:-}" = merge ]; then
  exec "$FEMFLEX" study --merge "$FOLDER"/part*.h5 \
    -o "$FOLDER/all.h5" --csv "$FOLDER/all.csv" --report "$FOLDER/all.html"
fi
part=$SLURM_ARRAY_TASK_ID
study --shard "$part/$PARTS" --resume --threads "${SLURM_CPUS_PER_TASK:-1}" \
  -o "$FOLDER/part$part.h5"
)sh";

const char* const kParallelJob = R"sh(#!/bin/sh
# A study in parts with GNU parallel, on this machine or on others (see parallel --sshlogin). A part
# that is killed is started again and goes on where it was; so does this script.
#   femflex new truck        the system of this example
#   sh SCRIPT                makes the parts, then one table, its CSV and its page
set -eu
FEMFLEX=${FEMFLEX:-femflex}
SYSTEM=${SYSTEM:-truck.json}
FOLDER=${FOLDER:-study}
PARTS=${PARTS:-4}
JOBS=${JOBS:-2}  # parts at a time, each on one thread

study() {  # what is varied and measured
  "$FEMFLEX" study "$SYSTEM" --vary k=1e5:3e5 --vary c=5e3:2e4 --sample lhs:200 --seed 1 \
    --measure comfort=rms:chassis/701/acceleration/z@0.5-80Hz \
    --measure travel=range:chassis/301/position/z "$@"
}

mkdir -p "$FOLDER"
if [ "${1:-}" = part ]; then
  study --shard "$2/$PARTS" --resume --threads 1 -o "$FOLDER/part$2.h5"
  exit
fi
export FEMFLEX SYSTEM FOLDER PARTS
seq "$PARTS" | parallel --jobs "$JOBS" --retries 3 --joblog "$FOLDER/joblog" sh "$0" part {}
"$FEMFLEX" study --merge "$FOLDER"/part*.h5 \
  -o "$FOLDER/all.h5" --csv "$FOLDER/all.csv" --report "$FOLDER/all.html"
)sh";

const char* const kMpiJob = R"sh(#!/bin/sh
# A study in parts with mpiexec or srun: every rank makes one part. Nothing is linked with MPI; the
# rank comes from the environment. After a loss the same call goes on where it was.
#   femflex new truck        the system of this example
#   mpiexec -n 4 sh SCRIPT   makes the parts
#   sh SCRIPT merge          when all are done: one table, its CSV and its page
set -eu
FEMFLEX=${FEMFLEX:-femflex}
SYSTEM=${SYSTEM:-truck.json}
FOLDER=${FOLDER:-study}

study() {  # what is varied and measured
  "$FEMFLEX" study "$SYSTEM" --vary k=1e5:3e5 --vary c=5e3:2e4 --sample lhs:200 --seed 1 \
    --measure comfort=rms:chassis/701/acceleration/z@0.5-80Hz \
    --measure travel=range:chassis/301/position/z "$@"
}

mkdir -p "$FOLDER"
if [ "${1:-}" = merge ]; then
  exec "$FEMFLEX" study --merge "$FOLDER"/part*.h5 \
    -o "$FOLDER/all.h5" --csv "$FOLDER/all.csv" --report "$FOLDER/all.html"
fi
# Open MPI, MPICH and Intel MPI, Slurm
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${SLURM_PROCID:-}}}
ranks=${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-${SLURM_NTASKS:-}}}
if [ -z "$rank" ] || [ -z "$ranks" ]; then
  echo "start me with mpiexec -n 4 sh $0, or with srun" >&2
  exit 2
fi
part=$((rank + 1))
study --shard "$part/$ranks" --resume --threads 1 -o "$FOLDER/part$part.h5"
)sh";

const char* const kDistributedJob = R"sh(#!/bin/sh
# The modes of one large model on several machines: MPI starts the ranks, and the factor of the
# matrix is spread over them. Rank 0 reads the model and holds the shapes; give it the largest node.
#   sbatch SCRIPT              on a cluster
#   RANKS=4 sh SCRIPT          on this machine
#SBATCH --job-name=femflex-reduce
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=1
#SBATCH --mem=0
#SBATCH --time=04:00:00
set -eu
FEMFLEX=${FEMFLEX:-femflex}
MODEL=${MODEL:-model.fe.h5}
BODY=${BODY:-body.fbm}
MEMORY=${MEMORY:-}  # of one rank, like 16G: a factor that does not fit goes to TMPDIR

# one thread of BLAS for every rank, since the ranks share the processors
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
if [ -n "${SLURM_JOB_ID:-}" ]; then
  start="srun --kill-on-bad-exit=1"  # a lost rank ends the job
else
  start="mpiexec -n ${RANKS:-2}"
fi
exec $start "$FEMFLEX" reduce "$MODEL" --method craig-bampton --normal 50 --orthogonalise --scale \
  --distributed ${MEMORY:+--memory "$MEMORY"} -o "$BODY"
)sh";

}  // namespace femflex::verbs
