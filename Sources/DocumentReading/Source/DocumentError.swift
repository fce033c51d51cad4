/// An error in a document, with its location. Two errors are equal if their codes are.
public struct DocumentError: Error, Sendable {
    /// The kinds of errors in documents.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// The file cannot be opened or read.
        case unreadable
        /// The document is empty.
        case empty
        /// The document violates the rules of its format.
        case malformed
        /// The document ends before it is complete.
        case truncated
        /// The character encoding is unknown, or the bytes are not valid in it.
        case encoding
        /// The document declares an external entity, or uses one that represents declarations.
        case entityDeclaration
        /// The document refers to an entity that is neither predefined nor declared.
        case undefinedEntity
        /// Elements or nodes are nested too deeply.
        case tooDeep
        /// A text, or the whole document, exceeds the limit.
        case tooLarge
        /// A mapping has a duplicate key.
        case duplicateKey
        /// A mapping has a key that is not a text.
        case unsupportedKey
        /// An alias refers to no preceding anchor.
        case unknownAlias
        /// A second document follows the first one.
        case severalDocuments
        /// The document is well formed, but contains something that its reader does not accept.
        case unacceptable
    }

    /// The kind of the error.
    public let code: Code

    /// Details: the parser's message, a name, or a limit.
    public let detail: String

    /// The location of the error; line 1 if the file cannot be read at all.
    public let location: SourceLocation

    /// The line with a caret below it; nil if the line is unknown or cannot be shown.
    public let excerpt: SourceExcerpt?

    /// Makes an error at a location in a document.
    public init(_ code: Code, _ detail: String = "", at location: SourceLocation, excerpt: SourceExcerpt? = nil) {
        self.code = code
        self.detail = detail
        self.location = location
        self.excerpt = excerpt
    }
}

extension DocumentError: Equatable {
    public static func == (left: DocumentError, right: DocumentError) -> Bool {
        left.code == right.code
    }
}
