#!/usr/bin/perl
# Runs a program, and copies the lines that it writes into files of a volume, which outlive the container:
#   log-to-files NAME COMMAND...
# Each line of LOG_DIR/NAME.log is `TIME CONTAINER LINE`. A full file is renamed to NAME.log.1, that one to NAME.log.2, and so on
# up to 9; all together have about LOG_FILES_MB. Several containers may write to one NAME at once. While the files cannot be
# written, for example on a full disk, the program goes on with the log of its container alone, which says so once.
use strict;
use warnings;
use Fcntl qw(:DEFAULT :flock);
use POSIX qw(:signal_h ENOSPC WNOHANG strftime uname);

my $FILES         = 10;
my $RETRY_SECONDS = 1;
my $READ_BYTES    = 65_536;
my $LINE_BYTES    = 1_048_576;
# HAProxy drops lines while the pipe is full. The number is that of Linux, and the size its limit.
my $F_SETPIPE_SZ = 1031;
my $PIPE_BYTES   = 1_048_576;

my ( $name, @command ) = @ARGV;
die "log-to-files NAME COMMAND...\n" if !@command;
my $megabytes = $ENV{LOG_FILES_MB} // '';
$megabytes = 100 if $megabytes eq '';
if ( $megabytes !~ /^\d+(\.\d+)?$/ || $megabytes == 0 ) {
    print STDERR "LOG_FILES_MB must be a number of megabytes above 0.\n";
    exit 78;
}
my $path      = ( $ENV{LOG_DIR} || '/logs' ) . "/$name.log";
my $full_at   = $megabytes * 1_000_000 / $FILES;
my $container = ( uname() )[1];

# Signals wait until they can be passed on.
my $passed = POSIX::SigSet->new( SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 );
sigprocmask( SIG_BLOCK, $passed );
$SIG{CHLD} = sub { };    # ends the wait of select
pipe my $reader, my $writer or die "pipe: $!\n";
fcntl $writer, $F_SETPIPE_SZ, $PIPE_BYTES;
my $pid = fork;
die "fork: $!\n" if !defined $pid;
if ( !$pid ) {
    sigprocmask( SIG_UNBLOCK, $passed );
    open STDOUT, '>&', $writer or die "stdout: $!\n";
    open STDERR, '>&', $writer or die "stderr: $!\n";
    exec { $command[0] } @command or die "$command[0]: $!\n";
}
for my $signal (qw(TERM INT HUP QUIT USR1 USR2)) {
    $SIG{$signal} = sub { kill $signal, $pid };
}
sigprocmask( SIG_UNBLOCK, $passed );
close $writer;
$SIG{PIPE} = 'IGNORE';

my ( $file, $status );
my ( $missing, $retry_at, $text ) = ( 0, 0, '' );
while (1) {
    my $bits = '';
    vec( $bits, fileno $reader, 1 ) = 1;
    # A process that the program has left behind may hold the pipe open.
    my $ready = select $bits, undef, undef, defined $status ? 0 : 1;
    last if $ready == 0 && defined $status;
    if ( $ready > 0 ) {
        my $bytes = sysread $reader, $text, $READ_BYTES, length $text;
        next if !defined $bytes;
        last if $bytes == 0;
        copy( substr $text, -$bytes );
        my $end = rindex $text, "\n";
        write_lines( substr $text, 0, $end + 1, '' ) if $end >= 0;
        write_lines( substr( $text, 0, length $text, '' ) . "\n" ) if length $text > $LINE_BYTES;
    }
    $status = $? if !defined $status && waitpid( $pid, WNOHANG ) == $pid;
}
write_lines("$text\n") if $text ne '';
while ( !defined $status ) {
    $status = $? if waitpid( $pid, 0 ) == $pid;
}
my $signal = $status & 127;
if ($signal) {
    my $line = log_line( 50, "The program was ended by signal $signal" );
    copy($line);
    write_lines($line);
}
exit( $signal ? 128 + $signal : $status >> 8 );

# Writes to the log of the container.
sub copy {
    my ($bytes) = @_;
    while ( $bytes ne '' ) {
        my $written = syswrite STDOUT, $bytes;
        if   ( defined $written ) { substr $bytes, 0, $written, '' }
        else                      { return if !$!{EINTR} && !$!{EAGAIN} }
    }
}

# Writes whole lines to the file. Counts those that cannot be written.
sub write_lines {
    my ($lines) = @_;
    my $count = $lines =~ tr/\n//;
    if ( $missing && time < $retry_at ) {
        $missing += $count;
        return;
    }
    my $note = $missing ? "\n" . with_time("at most $missing lines could not be written here.\n") : '';
    if ( append( $note . join '', map { with_time($_) } split /^/, $lines ) ) {
        $missing = 0;
        return;
    }
    copy( log_line( 40, "The log files cannot be written, so lines are only in the log of this container: $!" ) )
        if !$missing;
    close $file if $file;
    undef $file;
    $missing += $count;
    $retry_at = time + $RETRY_SECONDS;
}

# Lines of the programs have their time in milliseconds.
sub with_time {
    my ($line) = @_;
    my ( $seconds, $milliseconds ) = $line =~ /"time":(\d{10})(\d{3})\b/ ? ( $1, $2 ) : ( time, '000' );
    return strftime( "%Y-%m-%dT%H:%M:%S.${milliseconds}Z", gmtime $seconds ) . " $container $line";
}

# One write at the end of a file is atomic, so lines of several containers do not mix.
sub append {
    my ($bytes) = @_;
    open_file() or return 0 if !$file;
    my ( $links, $size ) = ( stat $file )[ 3, 7 ];
    if ( !$links || $size >= $full_at ) {
        rename_files();
        open_file() or return 0;
    }
    my $written = syswrite $file, $bytes;
    return 1 if defined $written && $written == length $bytes;
    $! = ENOSPC if defined $written;
    return 0;
}

sub open_file {
    return sysopen $file, $path, O_WRONLY | O_APPEND | O_CREAT, 0644;
}

# Renames the full file, unless another container has done it or is doing it. The lock ends when the file is closed.
sub rename_files {
    return if !flock $file, LOCK_EX | LOCK_NB;
    my $current = ( stat $path )[1];
    return if !defined $current || $current != ( stat $file )[1];
    rename "$path.$_", "$path." . ( $_ + 1 ) for reverse 1 .. $FILES - 2;
    rename $path, "$path.1";
}

sub log_line {
    my ( $level, $message ) = @_;
    return sprintf qq({"level":%d,"time":%d000,"program":"%s","msg":"%s"}\n), $level, time, $name, $message;
}
