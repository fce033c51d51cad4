/// The names of files with rejected or unlinked records, made by `RejectWriter`: `airports.rejected.csv`.
package enum RejectFileName {
    /// The kind of records in a file.
    package enum Content: String {
        case rejected
        /// Records that were imported without a link.
        case unlinked
    }

    /// The part of the name for files with records that were imported without a link.
    package static let unlinkedName = ".\(Content.unlinked.rawValue)."

    /// Returns whether a file contains records that were imported without a link, according to its name.
    package static func isUnlinked(_ path: String) -> Bool {
        path.split(separator: "/").last?.contains(unlinkedName) ?? false
    }

    /// Returns the path of the records' source, without its extension; nil for any other file.
    package static func stem(ofSourceOf path: String) -> String? {
        let stem = withoutExtension(path)
        guard let dot = stem.lastIndex(of: "."), !stem[dot...].contains("/") else { return nil }
        // A number distinguishes sources with the same name.
        let parts = stem[stem.index(after: dot)...].split(separator: "-", omittingEmptySubsequences: false)
        guard let content = parts.first, Content(rawValue: String(content)) != nil,
            parts.count == 1 || parts.count == 2 && Int(parts[1]) != nil
        else { return nil }
        return String(stem[..<dot])
    }

    /// Returns a path or a pattern without the extension.
    static func withoutExtension(_ path: String) -> String {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return path }
        return String(path[..<dot])
    }
}
