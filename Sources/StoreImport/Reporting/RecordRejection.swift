public import ManagedObjectModels
import RecordSources

/// A record that is not imported, and all that is wrong with it.
public struct RecordRejection: Sendable, Hashable {
    /// The path of the source, `-` for standard input.
    public var source: String
    /// The line on which the record begins, or on which it cannot be read, counted from 1.
    public var line: Int
    /// The offset of the record in the source's own bytes; 0 for a database.
    public var byteOffset: Int
    /// What is wrong, at least one reason, in the order of the mapping's properties.
    public var reasons: [RejectionReason]

    /// Makes a rejection of facts.
    public init(source: String, line: Int, byteOffset: Int, reasons: [RejectionReason]) {
        self.source = source
        self.line = line
        self.byteOffset = byteOffset
        self.reasons = reasons
    }

    /// The entity of the object that the record was first rejected for; nil if it was not known yet.
    public var entity: String? { reasons.first?.entity }
}

extension RecordRejection: CustomStringConvertible {
    /// Where, and the first reason, with the value cut.
    public var description: String { text() }

    /// The same, with what the property is called in a language beside its name: `Book.isbn "ISBN"`.
    public func text(in localization: LocalizationDictionary? = nil) -> String {
        "\(StreamInput.title(of: source)):\(line): \(reasons.first?.text(in: localization) ?? "")"
    }
}
