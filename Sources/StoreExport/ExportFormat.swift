/// The formats in which objects can be exported.
public enum ExportFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// Comma-separated values (RFC 4180): a line of names, followed by a line for each object.
    case csv
    /// One JSON object on each line.
    case ndjson
    /// A JSON array of objects.
    case json
    /// An XML document with an element for each object.
    case xml
}
