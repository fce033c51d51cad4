internal import DocumentReading

/// A file of silences: YAML with a list of codes and reasons.
public struct LintSilences: Sendable {
    /// The default name of the file beside a model.
    public static let fileName = ".ferry-lint.yaml"

    /// The path of the file.
    public let path: String
    /// The entries in the order of the file.
    public let entries: [LintSilence]

    /// Reads a file.
    /// - Throws: `LintSilenceErrors`: all errors that are found, each with file, line, column, the line itself and a
    ///   caret.
    public init(path: String) throws(LintSilenceErrors) {
        let document: YAMLDocument
        do throws(DocumentError) {
            document = try YAMLDocument(path: path, limits: Self.limits)
        } catch {
            throw LintSilenceErrors(messages: [error.description])
        }
        var parser = LintSilenceParser(document)
        let entries = parser.entries()
        guard parser.problems.isEmpty else { throw LintSilenceErrors(messages: parser.problems.map(\.description)) }
        self.path = path
        self.entries = entries
    }

    /// Returns the path of the file beside a model: in the folder itself, or in that of the bundle or version; nil if
    /// there is none.
    public static func path(beside model: String) -> String? {
        var folder = model[...]
        while folder.count > 1, folder.hasSuffix("/") { folder = folder.dropLast() }
        let parts = folder.split(separator: "/", omittingEmptySubsequences: false)
        // Everything inside the outermost component that belongs to a model.
        let inner = parts.firstIndex { part in
            [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom"].contains { part.hasSuffix($0) }
        }
        let outer = inner.map { parts[..<$0].joined(separator: "/") } ?? String(folder)
        let isRoot = outer.isEmpty && model.hasPrefix("/")
        let path = (isRoot ? "/" : outer.isEmpty ? "" : outer + "/") + fileName
        return FileKind(path: path) == .file ? path : nil
    }

    /// Thousands of entries take a few hundred kilobytes.
    private static let limits = YAMLReadingLimits(maximumSize: 4 << 20, maximumDepth: 16, maximumNodeCount: 100_000)
}
