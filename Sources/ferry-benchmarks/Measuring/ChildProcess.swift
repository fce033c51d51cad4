import Foundation

/// A program that runs to its end; what it used is its own, as the kernel counted it.
struct ChildProcess {
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
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let words = Self.vector([executable] + arguments)
        let environment = Self.vector(ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
        defer { (words + environment).forEach { free($0) } }
        var identifier = pid_t()
        let start = ContinuousClock.now
        let failure = posix_spawnp(&identifier, executable, &actions, nil, words, environment)
        guard failure == 0 else {
            throw BenchmarkError.cannotStart(executable, reason: String(cString: strerror(failure)))
        }
        var status: Int32 = 0
        var resources = rusage()
        while wait4(identifier, &status, 0, &resources) < 0, errno == EINTR {}
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let code = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
        guard accepted.contains(code) else {
            let command = ([executable] + arguments).joined(separator: " ")
            throw BenchmarkError.failed(command, status: code, message: String(Self.text(errors).suffix(400)))
        }
        return (Usage(seconds: seconds, resources), Self.text(output))
    }

    /// A list of C strings that ends with NULL; the caller frees them.
    private static func vector(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
        words.map { strdup($0) } + [nil]
    }

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
