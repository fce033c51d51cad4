import Foundation

/// A fresh directory that is removed with its content when the last reference goes.
public final class TemporaryDirectory: Sendable {
    /// The absolute path, without a slash at the end.
    public let path: String

    /// - Parameter parent: an existing folder; nil for the system's folder for temporary files.
    public init(in parent: String? = nil) throws {
        path = (parent ?? FileManager.default.temporaryDirectory.path) + "/ferry-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the directory, whether it exists or not.
    public func file(_ name: String) -> String {
        path + "/" + name
    }

    /// Writes a file and returns its path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// Writes a text file and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    /// The names of what is in the directory, or in one below it.
    public func names(in folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? path : file(folder)).sorted()
    }

    /// A file of the directory as text.
    public func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: file(name))), as: UTF8.self)
    }
}
