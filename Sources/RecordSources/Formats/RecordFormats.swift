/// The formats of sources.
package enum RecordFormats {
    /// In the order in which a file is looked at; it is of the first format if nothing speaks for another.
    package static let all: [any RecordFormat] = [
        DelimitedFormat(), JSONFormat(), XMLFormat(), SQLiteFormat(), SpreadsheetFormat(),
        PropertyListSourceFormat(),
    ]

    /// The format of a kind.
    static func format(_ kind: SourceFormat.Kind) -> any RecordFormat {
        all.first { $0.kind == kind } ?? all[0]
    }

    /// Whether an archive or the like is a file of a format, not one that holds such files.
    static func reads(start: [UInt8], fileExtension: String) -> Bool {
        if all.contains(where: { $0.isCertain(start) }) { return true }
        let named = all.first { $0.fileExtensions.contains(fileExtension) }
        return named.map { !$0.isStream } ?? false && ForeignFormat(start: start, fileExtension: "") == .zip
    }

    /// The kind of a file with these first bytes.
    static func kind(start: [UInt8], fileExtension: String) -> SourceFormat.Kind {
        if let certain = all.first(where: { $0.isCertain(start) }) { return certain.kind }
        if let named = all.first(where: { $0.fileExtensions.contains(fileExtension) }) { return named.kind }
        // Byte order marks, the zeros of UTF-16, and white space say nothing.
        let first = start.first { ![0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0, 0x20, 0x09, 0x0A, 0x0D, 0x1E].contains($0) }
        return (all.first { $0.isLikely(start, first: first) } ?? all[0]).kind
    }
}

extension SourceFormat {
    /// A format of sources by its name in mappings: `csv`, `json`.
    public struct Kind: RawRepresentable, CaseIterable, Hashable, Sendable, Codable {
        /// The name of the format in mappings.
        public let rawValue: String

        /// For the format itself: each names its kind once.
        init(of format: String) {
            rawValue = format
        }

        /// Makes the format of its name; nil if there is no such format.
        public init?(rawValue: String) {
            self.init(of: rawValue)
            guard Self.allCases.contains(self) else { return nil }
        }

        /// The formats, in the order in which a file is looked at.
        public static var allCases: [Kind] { RecordFormats.all.map(\.kind) }

        /// What people call files of the kind.
        public var title: String { format.title }

        package var format: any RecordFormat { RecordFormats.format(self) }
    }
}
