/// Why a document cannot be read, and where. Two errors are equal when their codes are.
public struct DocumentError: Error, Sendable {
    /// The kinds of errors in documents.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// The file cannot be opened or read.
        case unreadable
        /// There is nothing in it.
        case empty
        /// It breaks the rules of its format.
        case malformed
        /// It ends before what it has begun is complete.
        case truncated
        /// Its character encoding is not known, or its bytes do not fit it.
        case encoding
        /// It declares an entity that stands for something outside it, or uses one that stands for declarations.
        case entityDeclaration
        /// It refers to an entity that is neither predefined nor declared in it.
        case undefinedEntity
        /// Elements or nodes are nested too deep.
        case tooDeep
        /// A text, or the whole document, is larger than the limit.
        case tooLarge
        /// A mapping has a key twice.
        case duplicateKey
        /// A mapping has a key that is not a text.
        case unsupportedKey
        /// An alias names no anchor before it.
        case unknownAlias
        /// A second document follows the first one.
        case severalDocuments
        /// The document is well formed, but says something that its reader does not accept.
        case unacceptable
    }

    /// The kind of the error.
    public let code: Code

    /// The particulars: what the parser says, a name, a limit.
    public let detail: String

    /// Where it is; line 1 where the file cannot be read at all.
    public let location: SourceLocation

    /// The line in question with a caret below; nil if the line is not known or cannot be shown.
    public let excerpt: SourceExcerpt?

    /// Makes an error at a place of a document.
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
