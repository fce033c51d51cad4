import ChildProcesses
import FoundationEssentials
import Glibc

/// A run of Git. What goes in and comes out passes through files, so that neither side waits for the other.
///
/// A repository's own configuration may name programs. None is run: only commands are used that read objects, without
/// filters, text conversion, hooks or the index; and objects that are not there are not fetched, since no protocol is
/// allowed.
struct GitProcess {
    /// A folder for these files.
    let folder: String

    struct Result {
        let status: Int32
        let output: Data
        let errors: String
    }

    func run(_ words: [String], in directory: String, input: String? = nil) throws(GitError) -> Result {
        do {
            let (output, errors) = (folder + "/output", folder + "/errors")
            var source: OpenFile?
            if let input {
                try Data(input.utf8).write(to: URL(fileURLWithPath: folder + "/input"))
                source = try OpenFile(folder + "/input", O_RDONLY)
            }
            let (outputFile, errorFile) = (try Self.newFile(output), try Self.newFile(errors))
            let process = try ChildProcess(
                ["/usr/bin/env", "git", "-C", directory] + Self.settings.flatMap { ["-c", $0] } + words,
                // What others set for their own runs, such as another repository, is not meant here.
                environment: ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
                    .merging(Self.environment) { $1 },
                input: source.map { .descriptor($0.descriptor) } ?? .null,
                output: .descriptor(outputFile.descriptor), errors: .descriptor(errorFile.descriptor))
            let status: Int32 =
                switch process.wait() {
                case .exited(let status): status
                case .killed(let signal): 128 + signal
                }
            return Result(
                status: status, output: try Data(contentsOf: URL(fileURLWithPath: output)),
                errors: String(decoding: try Data(contentsOf: URL(fileURLWithPath: errors)), as: UTF8.self))
        } catch {
            throw GitError(.failed("\(error)"))
        }
    }

    /// They count more than a repository's configuration.
    private static let settings = [
        "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.attributesFile=/dev/null", "core.pager=cat",
        "protocol.allow=never", "safe.bareRepository=explicit",
    ]

    private static let environment = [
        // Not even the index is refreshed.
        "GIT_OPTIONAL_LOCKS": "0",
        // Messages are those that are known here.
        "LC_ALL": "C",
        // Git 2.45 and later fetch nothing then; others try, and may use no protocol for it.
        "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_SSH_COMMAND": "false", "GIT_ASKPASS": "false",
        "GIT_TERMINAL_PROMPT": "0", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
    ]

    private static func newFile(_ path: String) throws(GitError) -> OpenFile {
        try OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC)
    }

    /// A file that is open as long as the object is there.
    private final class OpenFile {
        let descriptor: Int32

        init(_ path: String, _ flags: Int32) throws(GitError) {
            descriptor = open(path, flags | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw GitError(.failed("\(path): \(String(cString: strerror(errno)))")) }
        }

        deinit {
            close(descriptor)
        }
    }
}
