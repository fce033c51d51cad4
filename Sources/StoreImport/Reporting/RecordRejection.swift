public import ManagedObjectModels
import RecordSources

/// A record that is not imported, with all of its faults.
public struct RecordRejection: Sendable, Hashable {
    /// The path of the source; `-` for standard input.
    public var source: String
    /// The line on which the record begins, or on which it cannot be read, counted from 1.
    public var line: Int
    /// The offset of the record in the original bytes of the source; 0 for a database.
    public var byteOffset: Int
    /// The reasons, at least one, in the order of the mapping's properties.
    public var reasons: [RejectionReason]

    /// Creates a rejection.
    public init(source: String, line: Int, byteOffset: Int, reasons: [RejectionReason]) {
        self.source = source
        self.line = line
        self.byteOffset = byteOffset
        self.reasons = reasons
    }

    /// The entity of the object for which the record was first rejected; nil if it was not known yet.
    public var entity: String? { reasons.first?.entity }
}

extension RecordRejection: CustomStringConvertible {
    /// The place and the first reason, with the value shortened.
    public var description: String { text() }

    /// Returns the description with the localized name of the property after its name: `Book.isbn "ISBN"`.
    public func text(in localization: LocalizationDictionary? = nil) -> String {
        "\(StreamInput.title(of: source)):\(line): \(reasons.first?.text(in: localization) ?? "")"
    }
}
