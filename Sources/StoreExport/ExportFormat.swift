/// The formats that objects are exported in.
public enum ExportFormat: String, Sendable, Hashable, Codable, CaseIterable {
    case csv
    /// An object a line.
    case ndjson
    /// An array of objects.
    case json
    case xml
}
