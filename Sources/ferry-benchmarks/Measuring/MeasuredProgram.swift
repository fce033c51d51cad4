import ChildProcesses
import Foundation

/// A program that runs to its end; what it used is its own, as the kernel counted it.
struct MeasuredProgram {
    let executable: String
    let arguments: [String]

    /// The file that is its standard input.
    var input = "/dev/null"

    /// The folder for what it prints.
    let directory: String

    /// The statuses that mean success.
    var accepted: Set<Int32> = [0]

    /// Runs it.
    ///
    /// - Returns: what it used, and what it printed on standard output.
    @discardableResult
    func run() throws -> (usage: Usage, output: String) {
        let (output, errors) = (directory + "/output.txt", directory + "/errors.txt")
        let files = try [
            Descriptor(input, O_RDONLY), Descriptor(output, O_WRONLY | O_CREAT | O_TRUNC),
            Descriptor(errors, O_WRONLY | O_CREAT | O_TRUNC),
        ]
        let start = ContinuousClock.now
        let process: ChildProcess
        do {
            // The optimizer would close them as soon as their numbers are known.
            process = try withExtendedLifetime(files) { () throws(ChildProcessError) in
                try ChildProcess(
                    [executable] + arguments, input: .descriptor(files[0].number),
                    output: .descriptor(files[1].number), errors: .descriptor(files[2].number))
            }
        } catch {
            throw BenchmarkError.cannotStart(executable, reason: error.reason)
        }
        let ending = process.wait()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let code =
            switch ending {
            case .exited(let status): status
            case .killed(let signal): 128 + signal
            }
        guard accepted.contains(code) else {
            let command = ([executable] + arguments).joined(separator: " ")
            throw BenchmarkError.failed(command, status: code, message: String(Self.text(errors).suffix(400)))
        }
        return (Usage(seconds: seconds, process.resources), Self.text(output))
    }

    /// An open file.
    private final class Descriptor {
        let number: Int32

        init(_ path: String, _ flags: Int32) throws {
            number = open(path, flags | O_CLOEXEC, 0o600)
            guard number >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }

        deinit { close(number) }
    }

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
