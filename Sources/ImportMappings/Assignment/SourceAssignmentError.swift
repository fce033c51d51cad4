public import RecordSources

/// Why a file cannot be imported with a mapping.
public struct SourceAssignmentError: Error, Equatable, Sendable {
    /// The kinds of errors.
    public enum Code: Equatable, Sendable {
        /// The file cannot be read, or its format is not supported.
        case unreadable(SourceError)
        /// The file is given twice.
        case givenTwice
        /// No pattern of the mapping matches the file.
        case noMapping(patterns: [String])
        /// The file's format differs from that of its source.
        case wrongKind(found: SourceFormat.Kind, expected: SourceFormat.Kind, source: String)
        /// Several sources have no pattern, so the choice is ambiguous.
        case severalMappings(names: [String])
        /// The file is a database, and its source names neither a table nor a query.
        case noTable(source: String)
    }

    /// The kind of the error.
    public let code: Code
    /// The path of the file.
    public let path: String

    init(_ code: Code, path: String) {
        self.code = code
        self.path = path
    }
}

extension SourceAssignmentError: CustomStringConvertible {
    /// The file, what is wrong with it and what to do about it.
    public var description: String {
        let place = StreamInput.title(of: path)
        switch code {
        case .unreadable(let error): return error.description
        case .givenTwice: return "\(place): the file is given twice; name it once"
        case .noMapping(let patterns):
            return "\(place): the mapping has no source for this file; its \"files\" are "
                + patterns.prefix(10).joined(separator: ", ") + (patterns.count > 10 ? ", …" : "")
        case .wrongKind(let found, let expected, let source):
            return "\(place): the file is \(found.title), and the source \"\(source)\" reads \(expected.title); "
                + "correct its \"format\", or give another file"
        case .severalMappings(let names):
            return "\(place): the sources " + names.map { "\"\($0)\"" }.joined(separator: ", ")
                + " are for any file; name this one in the \"files\" of one of them"
        case .noTable(let source):
            return "\(place): the file is a database; name a \"table\" or a \"query\" in the source \"\(source)\""
        }
    }
}

/// The errors of all files that cannot be imported with a mapping, in the given order.
public struct SourceAssignmentErrors: Error, Equatable, Sendable, CustomStringConvertible {
    /// The errors, one per file.
    public let errors: [SourceAssignmentError]

    init(_ errors: [SourceAssignmentError]) {
        self.errors = errors
    }

    public var description: String { errors.map(\.description).joined(separator: "\n") }
}
