#!/usr/bin/env bash
# A Ray cluster for Kibitz inside a Slurm job, and a run of self-play on it. An example: it was not run by the
# project's tests. Submit with: sbatch examples/cluster/slurm.sh NETWORK STORE
#SBATCH --job-name=kibitz
#SBATCH --nodes=10
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --time=24:00:00
set -euo pipefail

network=$1
store=$2                          # a folder that all nodes see, or a URL such as s3://bucket/run
port=6379
RAY_AUTH_TOKEN=$(python3 -c 'import secrets; print(secrets.token_hex(32))')
export RAY_AUTH_TOKEN RAY_AUTH_MODE=token RAY_USAGE_STATS_ENABLED=0

head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
address=$(getent ahostsv4 "$head" | awk 'NR == 1 { print $1 }')

srun --nodes=1 --ntasks=1 --nodelist="$head" --overlap \
  ray start --head --node-ip-address="$address" --port=$port --include-dashboard=false --block &
sleep 20
srun --nodes=$((SLURM_NNODES - 1)) --ntasks=$((SLURM_NNODES - 1)) --exclude="$head" --overlap \
  ray start --address="$address:$port" --block &
sleep 20

# The same line goes on where a job that ran out of time has stopped.
kibitz selfplay othello --games 1000000 --network "$network" --visits 16 -o rule=gumbel \
  --processes "ray:$address:$port" --output "$store" --resume
