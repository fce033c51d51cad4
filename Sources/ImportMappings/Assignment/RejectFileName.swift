/// The names of files with rejected or unlinked records, as `RejectWriter` makes them: `airports.rejected.csv`.
package enum RejectFileName {
    /// What the records of a file have in common.
    package enum Content: String {
        case rejected
        /// Imported without a link.
        case unlinked
    }

    /// What files of records that are imported without a link have in their names.
    package static let unlinkedName = ".\(Content.unlinked.rawValue)."

    /// Whether a file has records that were imported without a link, as its name says.
    package static func isUnlinked(_ path: String) -> Bool {
        path.split(separator: "/").last?.contains(unlinkedName) ?? false
    }

    /// The path of the source that the records are of, without its extension; nil for any other file.
    package static func stem(ofSourceOf path: String) -> String? {
        let stem = withoutExtension(path)
        guard let dot = stem.lastIndex(of: "."), !stem[dot...].contains("/") else { return nil }
        // A number tells apart sources of one name.
        let parts = stem[stem.index(after: dot)...].split(separator: "-", omittingEmptySubsequences: false)
        guard let content = parts.first, Content(rawValue: String(content)) != nil,
            parts.count == 1 || parts.count == 2 && Int(parts[1]) != nil
        else { return nil }
        return String(stem[..<dot])
    }

    /// A path or a pattern of one without what follows the last dot of its name.
    static func withoutExtension(_ path: String) -> String {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return path }
        return String(path[..<dot])
    }
}
