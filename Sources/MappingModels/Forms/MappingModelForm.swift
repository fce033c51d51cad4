internal import DocumentReading

/// The three file forms of mapping models.
public enum MappingModelForm: String, Sendable, Hashable, CaseIterable {
    /// Ferry's own form, which people can read and edit.
    case yaml
    /// The form of Xcode's editor: a folder `X.xcmappingmodel` that contains the XML store `xcmapping.xml`.
    case source = "xcmappingmodel"
    /// The form that Core Data loads: a keyed archive, `X.cdm`.
    case compiled = "cdm"

    /// Makes the form for a path's extension; nil for any other.
    public init?(pathExtensionOf path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "yaml", "yml": self = .yaml
        case "xcmappingmodel", "xml": self = .source
        case "cdm": self = .compiled
        default: return nil
        }
    }

    /// Recognizes the form by a file's first bytes: only those of Core Data have signatures.
    init(bytes: [UInt8]) {
        if bytes.starts(with: "bplist".utf8) {
            self = .compiled
            return
        }
        let head = bytes.prefix(1024).drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF || $0 <= 0x20 }
        let text = String(decoding: head, as: UTF8.self)
        // The metadata of a store, further down in the file, are a property list, too.
        let isArchive = text.contains("<plist") && !text.contains("<database")
        self = head.first == UInt8(ascii: "<") ? (isArchive ? .compiled : .source) : .yaml
    }
}
