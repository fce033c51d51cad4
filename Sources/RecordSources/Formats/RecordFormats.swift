/// The formats of sources.
package enum RecordFormats {
    /// The formats in the order in which they are tried; a file has the first format if nothing indicates another one.
    package static let all: [any RecordFormat] = [
        DelimitedFormat(), JSONFormat(), XMLFormat(), SQLiteFormat(), SpreadsheetFormat(),
        PropertyListSourceFormat(),
    ]

    /// Returns the format of a kind.
    static func format(_ kind: SourceFormat.Kind) -> any RecordFormat {
        all.first { $0.kind == kind } ?? all[0]
    }

    /// Returns whether an archive or compressed file is itself a file of a format, and not a container of such files.
    static func reads(start: [UInt8], fileExtension: String) -> Bool {
        if all.contains(where: { $0.isCertain(start) }) { return true }
        let named = all.first { $0.fileExtensions.contains(fileExtension) }
        return named.map { !$0.isStream } ?? false && ForeignFormat(start: start, fileExtension: "") == .zip
    }

    /// Returns the kind of a file with these first bytes.
    static func kind(start: [UInt8], fileExtension: String) -> SourceFormat.Kind {
        if let certain = all.first(where: { $0.isCertain(start) }) { return certain.kind }
        if let named = all.first(where: { $0.fileExtensions.contains(fileExtension) }) { return named.kind }
        // Byte order marks, the zeros of UTF-16, and white space are not significant.
        let first = start.first { ![0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0, 0x20, 0x09, 0x0A, 0x0D, 0x1E].contains($0) }
        return (all.first { $0.isLikely(start, first: first) } ?? all[0]).kind
    }
}

extension SourceFormat {
    /// A format of sources, identified by its name in mappings, such as `csv` or `json`.
    public struct Kind: RawRepresentable, CaseIterable, Hashable, Sendable, Codable {
        /// The name of the format in mappings.
        public let rawValue: String

        /// Creates a kind; called once by each format.
        init(of format: String) {
            rawValue = format
        }

        /// Creates a kind from the format's name; nil if there is no such format.
        public init?(rawValue: String) {
            self.init(of: rawValue)
            guard Self.allCases.contains(self) else { return nil }
        }

        /// The formats in the order in which they are tried.
        public static var allCases: [Kind] { RecordFormats.all.map(\.kind) }

        /// The usual name of files of this kind.
        public var title: String { format.title }

        package var format: any RecordFormat { RecordFormats.format(self) }
    }
}
