import ChildProcesses
import Glibc

/// A program that runs in parallel and answers line by line: its standard input and output are pipes, its standard
/// error is that of this process.
package final class ProgramDialog {
    private let command: ExternalProgram
    private let process: ChildProcess
    private var input: Int32 = -1
    private var output: Int32 = -1
    private var received: [UInt8] = []
    /// The number of received bytes that were passed on, and of those searched without finding the end of a line.
    private var taken = 0
    private var searched = 0
    private let longestLine: Int
    private let cancellation: (() -> Bool)?
    private var buffer: [UInt8]

    /// How long a program may take to end after its input has ended, in seconds: at most as long as it may be silent.
    private var endingTime: Int64 { command.patience > 0 ? min(10, command.patience) : 10 }
    /// The interval at which cancellation is checked, in milliseconds.
    private static let interval: Int32 = 100

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - command: the program.
    ///   - limits: the sizes in which its answers are read.
    ///   - isCancelled: called while waiting for an answer.
    /// - Throws: `ProgramError` if the program cannot be started.
    package init(
        _ command: ExternalProgram, _ limits: DialogLimits = DialogLimits(), isCancelled: (() -> Bool)? = nil
    ) throws {
        self.command = command
        cancellation = isCancelled
        longestLine = limits.line
        buffer = [UInt8](repeating: 0, count: max(1, limits.piece))
        let toProgram = try Self.pipe()
        let fromProgram = try Self.pipe()
        defer {
            close(toProgram.read)
            close(fromProgram.write)
        }
        input = toProgram.write
        output = fromProgram.read
        for descriptor in [input, output] { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }
        do {
            process = try ChildProcess(
                command.words, input: .descriptor(toProgram.read), output: .descriptor(fromProgram.write),
                errors: .inherited)
        } catch {
            close(toProgram.write)
            close(fromProgram.read)
            throw ProgramError("\(error)")
        }
    }

    private var isCancelled: Bool { cancellation?() ?? false }

    deinit { end() }

    /// Ends the program if it still runs, and waits for it, so that no process is left behind.
    package func end() {
        closeInput()
        if output >= 0 { close(output) }
        output = -1
        guard !process.wait(milliseconds: 200) else { return }
        process.send(SIGTERM)
        if !process.wait(milliseconds: 1000) { process.kill() }
    }

    /// F_SETPIPE_SZ of Linux.
    private static let pipeSize: Int32 = 1031

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var descriptors: [Int32] = [-1, -1]
        guard Glibc.pipe(&descriptors) == 0 else {
            throw ProgramError("no pipe can be made: \(String(cString: strerror(errno)))")
        }
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        // Larger than the default of 64 KiB, if the system allows it, to reduce switches between the processes.
        _ = fcntl(descriptors[0], pipeSize, 1 << 20)
        return (descriptors[0], descriptors[1])
    }

    private func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    // MARK: Talking

    /// The data to be sent, how much of it has been sent, and where the batches in flight end in all sent data.
    private var outgoing: [UInt8] = []
    private var sent = 0
    private var sentBefore = 0
    private var ends: [Int] = []
    private var isReading = true

    /// Queues a batch after those in flight. Nothing is sent until answers are awaited.
    package func send(_ batch: [UInt8]) {
        if sent > 0 {
            outgoing.removeFirst(sent)
            sentBefore += sent
            sent = 0
        }
        outgoing += batch
        ends.append(sentBefore + outgoing.count)
    }

    /// Ends the program's input after all queued batches have been sent.
    package func endInputWhenSent() { endsInput = true }

    private var endsInput = false

    /// The number of batches that were sent or queued, and not yet answered.
    package var batchesInFlight: Int { ends.count }

    /// Calls a closure with the lines that answer the oldest batch, until it reports the end of the batch.
    ///
    /// Sending continues at the same time: a program may answer each line immediately, or all lines at the end.
    ///
    /// - Parameter receive: called with all received bytes, and the range of the line in them.
    /// - Returns: whether the batch is answered.
    package func receive(_ receive: ([UInt8], Range<Int>) throws -> ProgramReply) throws -> Bool {
        var lastSign = Self.seconds
        while true {
            if command.patience > 0, Self.seconds - lastSign > command.patience {
                throw ProgramError(
                    "it has written nothing for \(command.patience) seconds and still owes answers; it "
                        + "was ended")
            }
            while let line = nextLine() {
                switch try receive(received, line) {
                case .more: break
                case .otherPace: return false
                case .endOfBatch:
                    guard let end = ends.first, sentBefore + sent >= end else {
                        throw ProgramError("it ended the batch before it had read all of it")
                    }
                    ends.removeFirst()
                    return true
                }
            }
            if isCancelled { throw ProgramCancelled() }
            let isSending = sent < outgoing.count && isReading
            if !isSending, endsInput, isReading { closeInput() }
            var waits = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
            if isSending { waits.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
            guard poll(&waits, nfds_t(waits.count), Self.interval) > 0 else { continue }
            lastSign = Self.seconds
            if waits[0].revents != 0, try !read() {
                // Ctrl-C reaches the program as well.
                if isCancelled { throw ProgramCancelled() }
                throw ended()
            }
            if waits.count > 1, waits[1].revents != 0 {
                let count = write(outgoing[sent...])
                // The program has stopped reading; its output is still read, since it may contain the reason.
                if count >= 0 { sent += count } else { isReading = false }
            }
        }
    }

    /// Ends the input, and waits until the program has ended successfully.
    package func finish() throws {
        closeInput()
        let deadline = Self.seconds + endingTime
        while true {
            // Includes output that was received together with the last answer.
            if received[taken...].contains(where: { $0 > 0x20 }) {
                throw ProgramError("it wrote something after the last batch")
            }
            received.removeAll()
            (taken, searched) = (0, 0)
            if isCancelled { throw ProgramCancelled() }
            guard Self.seconds < deadline else {
                throw ProgramError("it still ran \(endingTime) seconds after the end of its input, and was ended")
            }
            var wait = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, Self.interval) > 0 else { continue }
            if try !read() { break }
        }
        while !process.wait(milliseconds: 100) {
            if isCancelled { throw ProgramCancelled() }
            guard Self.seconds < deadline else {
                throw ProgramError("it still ran \(endingTime) seconds after the end of its input, and was ended")
            }
        }
        if let ending = process.ending, ending != .exited(status: 0) { throw ProgramError("it " + Self.text(ending)) }
    }

    private func ended() -> ProgramError {
        let how = process.wait(milliseconds: 1000) ? process.ending.map(Self.text) : nil
        return ProgramError("it \(how ?? "closed its output") before it had answered the batch")
    }

    private static func text(_ ending: ChildProcess.Ending) -> String {
        switch ending {
        case .exited(let status): "ended with status \(status)"
        case .killed(let signal): "was ended by signal \(signal)"
        }
    }

    private static var seconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec)
    }

    // MARK: Bytes

    /// Returns the range of the next line in the received bytes; nil if it is not complete.
    private func nextLine() -> Range<Int>? {
        while let end = received[searched...].firstIndex(of: 0x0A) {
            var line = taken..<end
            (taken, searched) = (end + 1, end + 1)
            if !line.isEmpty, received[line.upperBound - 1] == 0x0D { line = line.lowerBound..<line.upperBound - 1 }
            if received[line].contains(where: { $0 > 0x20 }) { return line }
        }
        searched = received.count
        return nil
    }

    /// Returns false at the end of the output.
    private func read() throws -> Bool {
        if taken > 0 {
            received.removeFirst(taken)
            searched -= taken
            taken = 0
        }
        guard received.count < longestLine else {
            throw ProgramError("a line of its answer is longer than \(longestLine) bytes")
        }
        let count = buffer.withUnsafeMutableBytes { Glibc.read(output, $0.baseAddress, $0.count) }
        if count > 0 { received += buffer[..<count] }
        if count < 0, errno != EAGAIN, errno != EINTR {
            throw ProgramError("its output cannot be read: \(String(cString: strerror(errno)))")
        }
        return count != 0
    }

    /// Returns how many bytes were written; -1 if the program has stopped reading. SIGPIPE, which would end this
    /// process, is blocked and discarded.
    private func write(_ bytes: ArraySlice<UInt8>) -> Int {
        var signals = sigset_t()
        var before = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let count = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        let code = errno
        if code == EPIPE, sigismember(&before, SIGPIPE) == 0 {
            var none = timespec()
            while sigtimedwait(&signals, nil, &none) < 0, errno == EINTR {}
        }
        return code == EAGAIN || code == EINTR ? 0 : -1
    }
}
