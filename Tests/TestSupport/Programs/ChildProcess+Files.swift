public import ChildProcesses
public import Foundation

extension ChildProcess {
    /// Starts a program. Standard streams that are nil are `/dev/null`.
    ///
    /// - Parameters:
    ///   - environment: variables beside those of this process.
    ///   - folder: the working directory; nil for that of this process.
    public convenience init(
        _ executable: String, _ words: [String], environment: [String: String] = [:], in folder: String? = nil,
        input: FileHandle? = nil, output: FileHandle? = nil, errors: FileHandle? = nil
    ) throws {
        func stream(_ file: FileHandle?) -> Stream { file.map { .descriptor($0.fileDescriptor) } ?? .null }
        try self.init(
            [executable] + words, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            in: folder, input: stream(input), output: stream(output), errors: stream(errors))
    }
}
