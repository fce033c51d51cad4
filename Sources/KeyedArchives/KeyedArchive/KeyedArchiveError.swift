/// An error of a keyed archive, with the object that it is about.
public struct KeyedArchiveError: Error, Hashable, Sendable {
    /// The kind of an error.
    public enum Code: String, Hashable, Sendable {
        /// The property list does not have the parts of a keyed archive.
        case notAKeyedArchive
        /// There is no root object with the requested name.
        case rootMissing
        /// A reference leads to an object that is not in the table.
        case referenceOutOfRange
        /// The class of an object is not described in the archive.
        case classInvalid
        /// An object lacks a key that its class always has.
        case keyMissing
        /// The value under a key has another type than expected.
        case typeUnexpected
        /// The value under a key has the right type, but is out of range or inconsistent.
        case valueInvalid
        /// Objects are nested more deeply than readers allow.
        case tooDeep
        /// Far more elements were read than the archive has bytes.
        case tooComplex
        /// The value cannot be archived.
        case notArchivable
    }

    /// The kind of the error.
    public let code: Code
    /// The index of the object in the archive's table; nil if there is none.
    public let object: Int?
    /// The class of the object; nil if there is none.
    public let className: String?
    /// The key that the error is about; nil if there is none.
    public let key: String?
    /// The value that was found instead, truncated to 60 characters; nil if there is none.
    public let found: String?

    /// Makes an error; names and values are truncated to 60 characters.
    public init(
        _ code: Code, object: Int? = nil, className: String? = nil, key: String? = nil, found: String? = nil
    ) {
        self.code = code
        self.object = object
        self.className = className.map { String($0.prefix(60)) }
        self.key = key.map { String($0.prefix(60)) }
        self.found = found.map { String($0.prefix(60)) }
    }
}

extension KeyedArchiveError: CustomStringConvertible {
    /// A one-sentence description; its wording may change.
    public var description: String {
        var place = "keyed archive"
        if let object {
            place += ", object \(object)"
        }
        if let className {
            place += " (\(className))"
        }
        if let key {
            place += ", key \(key)"
        }
        return place + ": " + code.sentence + (found.map { " (found \($0))" } ?? "")
    }
}

extension KeyedArchiveError.Code {
    fileprivate var sentence: String {
        switch self {
        case .notAKeyedArchive: "this property list is not a keyed archive; check the path"
        case .rootMissing: "there is no outermost object of this name; check the path"
        case .referenceOutOfRange: "a reference names an object that does not exist; get an intact copy"
        case .classInvalid: "the class of an object is not described; get an intact copy"
        case .keyMissing: "a value that must be there is missing; get an intact copy"
        case .typeUnexpected: "a value is of the wrong kind; get an intact copy"
        case .valueInvalid: "a value is not well-formed; get an intact copy"
        case .tooDeep: "objects are nested too deeply; the archive is damaged or hostile"
        case .notArchivable: "how this is archived is not known; write it in another way"
        case .tooComplex: "reading would take far too long for the size of the archive; it is damaged or hostile"
        }
    }
}
