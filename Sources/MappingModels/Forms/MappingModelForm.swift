internal import DocumentReading

/// The three forms in which mapping models are kept.
public enum MappingModelForm: String, Sendable, Hashable, CaseIterable {
    /// Ferry's own, which people read and edit.
    case yaml
    /// Xcode's editor: a folder `X.xcmappingmodel` with the XML store `xcmapping.xml` in it.
    case source = "xcmappingmodel"
    /// What Core Data loads: a keyed archive, `X.cdm`.
    case compiled = "cdm"

    /// The form that a path's extension names; nil for any other.
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

    /// The form of a file by its first bytes: only the two of Core Data have marks of their own.
    init(bytes: [UInt8]) {
        if bytes.starts(with: "bplist".utf8) {
            self = .compiled
            return
        }
        let head = bytes.prefix(1024).drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF || $0 <= 0x20 }
        let text = String(decoding: head, as: UTF8.self)
        // A store's metadata is a property list too, further down.
        let isArchive = text.contains("<plist") && !text.contains("<database")
        self = head.first == UInt8(ascii: "<") ? (isArchive ? .compiled : .source) : .yaml
    }
}
