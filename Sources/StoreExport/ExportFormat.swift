/// The formats that objects are exported in.
public enum ExportFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// Comma-separated values (RFC 4180): a line for each object, after a line of names.
    case csv
    /// An object a line.
    case ndjson
    /// An array of objects.
    case json
    /// An XML document: an element for each object.
    case xml
}
