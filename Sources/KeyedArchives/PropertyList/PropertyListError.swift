/// An error of reading or writing a property list, with its location.
public struct PropertyListError: Error, Hashable, Sendable {
    /// The kind of an error.
    public enum Code: String, Hashable, Sendable {
        /// The bytes are not in any format of property lists.
        case notAPropertyList
        /// The bytes end before the property list is complete.
        case truncated
        /// The trailer of a binary property list contradicts itself or the file's size.
        case trailerInvalid
        /// Line ends were converted in a binary property list, as by a transfer in text mode.
        case lineEndsConverted
        /// An offset in the table of a binary property list leads outside the objects.
        case offsetOutOfRange
        /// A reference is to an object number that does not exist.
        case referenceOutOfRange
        /// The byte that determines the type of an object has an unknown value.
        case markerUnknown
        /// A number has a size that property lists do not have.
        case sizeUnsupported
        /// A text has bytes that do not fit its encoding.
        case textInvalid
        /// The key of a dictionary is not a text.
        case keyNotText
        /// A dictionary has a duplicate key.
        case keyRepeated
        /// A dictionary has a key without a value.
        case keyWithoutValue
        /// A container contains itself.
        case cyclic
        /// Containers are nested deeper than the limit.
        case tooDeep
        /// The content exceeds the limits, with shared values counted at each use.
        case tooLarge
        /// A text format ends before a value is complete.
        case unexpectedEnd
        /// A character is not allowed at its position.
        case unexpectedCharacter
        /// An XML element does not belong to property lists.
        case elementUnknown
        /// An end tag does not match its start tag.
        case elementMismatched
        /// A number is malformed or out of range.
        case numberInvalid
        /// A date is malformed.
        case dateInvalid
        /// Data are not well-formed base 64 or hexadecimal digits.
        case dataInvalid
        /// There is text after the outermost value.
        case trailingContent
        /// The value cannot be written in this format.
        case notRepresentable
    }

    /// The location of an error in the bytes.
    public enum Place: Hashable, Sendable {
        /// The location is unknown, or there is none.
        case unknown
        /// A byte offset in a binary property list.
        case byte(Int)
        /// A line and a column (in bytes) of a text, both counted from 1.
        case text(line: Int, column: Int)
    }

    /// The kind of the error.
    public let code: Code
    /// The location in the bytes, if known.
    public let place: Place
    /// The text that was found there, truncated to 40 characters; nil if there is none.
    public let found: String?

    /// Makes an error; the found text is truncated to 40 characters.
    public init(_ code: Code, at place: Place = .unknown, found: String? = nil) {
        self.code = code
        self.place = place
        self.found = found.map { String($0.prefix(40)) }
    }
}

extension PropertyListError: CustomStringConvertible {
    /// A one-sentence description; its wording may change.
    public var description: String {
        let where_ =
            switch place {
            case .unknown: ""
            case .byte(let offset): " at byte \(offset)"
            case .text(let line, let column): " at \(line):\(column)"
            }
        let what = found.map { " (\($0.debugDescription))" } ?? ""
        return "property list\(where_): \(code.sentence)\(what)"
    }
}

extension PropertyListError.Code {
    fileprivate var sentence: String {
        switch self {
        case .notAPropertyList: "this is not a property list; check the path"
        case .truncated: "the data ends too early; the file is cut off, get a complete copy"
        case .trailerInvalid: "the trailer is damaged; get an intact copy"
        case .lineEndsConverted:
            "a program took the file for text and changed its line ends; get a copy moved as binary"
        case .offsetOutOfRange: "an object lies outside the data; get an intact copy"
        case .referenceOutOfRange: "a reference names an object that does not exist; get an intact copy"
        case .markerUnknown: "an object is of an unknown kind; get an intact copy"
        case .sizeUnsupported: "a number has a size that no property list has; get an intact copy"
        case .textInvalid: "text is not well-formed; get an intact copy"
        case .keyNotText: "the key of a dictionary is not a string; get an intact copy"
        case .keyRepeated: "a dictionary has the same key twice; remove one"
        case .keyWithoutValue: "a key has no value; add one"
        case .cyclic: "a container holds itself; get an intact copy"
        case .tooDeep: "containers are nested too deeply; the file is damaged or hostile"
        case .tooLarge: "the content would expand beyond all proportion to the file; it is damaged or hostile"
        case .unexpectedEnd: "the text ends inside a value; get a complete copy"
        case .unexpectedCharacter: "a character is not allowed here; correct the text"
        case .elementUnknown: "a property list has no such element; correct the text"
        case .elementMismatched: "an element is closed by another's tag; correct the text"
        case .numberInvalid: "a number is not well-formed or out of range; correct it"
        case .dateInvalid: "a date is not of the form 2001-01-01T00:00:00Z; correct it"
        case .dataInvalid: "data is not well-formed; correct it"
        case .trailingContent: "more text follows the end of the list; remove it"
        case .notRepresentable: "the value cannot be written in this format; use the binary format"
        }
    }
}
