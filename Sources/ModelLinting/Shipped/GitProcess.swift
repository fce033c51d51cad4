import ChildProcesses
import FoundationEssentials
import Glibc

/// A run of Git. Input and output are passed through files, so that neither side waits for the other.
///
/// A repository's own configuration may name programs. These are never run: only commands are used that read objects,
/// without filters, text conversion, hooks or the index; and missing objects are not fetched, since all protocols are
/// disallowed.
struct GitProcess {
    /// The folder for these files.
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
                // Variables set for other runs of Git, such as another repository, must not apply here.
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

    /// These settings take precedence over a repository's configuration.
    private static let settings = [
        "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.attributesFile=/dev/null", "core.pager=cat",
        "protocol.allow=never", "safe.bareRepository=explicit",
    ]

    private static let environment = [
        // The index is not refreshed either.
        "GIT_OPTIONAL_LOCKS": "0",
        // The messages of Git are matched below, so they must not be localized.
        "LC_ALL": "C",
        // With this, Git 2.45 and later fetch nothing; older versions try, but may not use any protocol.
        "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_SSH_COMMAND": "false", "GIT_ASKPASS": "false",
        "GIT_TERMINAL_PROMPT": "0", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
    ]

    private static func newFile(_ path: String) throws(GitError) -> OpenFile {
        try OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC)
    }

    /// A file that is open during the lifetime of the object.
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
