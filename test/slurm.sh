# A slurm of one machine, this one: munged, slurmctld and slurmd for as long as somebody
# wants them.  To be read by a shell (test/cli/batch_parts.sh, benchmarks/slurm).
#
#   slurm_begin FOLDER [PROCESSORS]   starts it with all its files below FOLDER, which is
#                                     new and absolute; fails where it cannot be started
#   slurm_end FOLDER                  ends its daemons
#
# It wants root, since slurmd does.  Where others have the machine an answer may take
# minutes, and nobody is given up for that.
# shellcheck shell=sh

slurm_configuration() {
  folder=$1 processors=$2 host=$(hostname -s) port=$((20000 + $$ % 20000))
  cat <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthInfo=socket=$folder/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SlurmdTimeout=0
MessageTimeout=100
BatchStartTimeout=600
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=$host NodeAddr=127.0.0.1 CPUs=$processors State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE
END
}

slurm_begin() {
  PATH=$PATH:/usr/sbin
  for program in munged slurmctld slurmd sbatch; do
    command -v $program >/dev/null || return 1
  done
  [ "$(id -u)" = 0 ] || return 1
  mkdir -m 700 "$1" "$1/state" "$1/spool"
  (umask 77 && head -c 128 /dev/urandom >"$1/key")
  slurm_configuration "$1" "${2:-$(nproc)}" >"$1/slurm.conf"
  export SLURM_CONF="$1/slurm.conf"
  munged --force --socket="$1/munge" --key-file="$1/key" --pid-file="$1/munged.pid" \
    --log-file="$1/munged.log" --seed-file="$1/seed" && slurmctld && slurmd || return 1
  for _ in $(seq 100); do
    sinfo -h -o %t 2>/dev/null | grep -q idle && return
    sleep 0.1
  done
  return 1
}

# They write into the folder until they are gone.
slurm_end() {
  daemons=''
  for one in slurmd slurmctld munged; do
    [ ! -s "$1/$one.pid" ] || daemons="$daemons $(cat "$1/$one.pid")"
  done
  for one in $daemons; do kill "$one"; done
  for one in $daemons; do
    for _ in $(seq 100); do
      kill -0 "$one" 2>/dev/null || break
      sleep 0.1
    done
  done
}
