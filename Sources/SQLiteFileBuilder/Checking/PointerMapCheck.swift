internal import SQLiteAccess

/// Compares the pointer map of a file with the pages that actually lead to each page ("Database File Format", section
/// 1.8).
final class PointerMapCheck {
    /// The number of map pages in memory. With pages of 4096 bytes, each covers 3 MiB of the file.
    private static let keptPages = 16

    let isUnreadable: Bool
    private let pages: CheckedPages
    private let layout: PointerMapLayout
    /// The map pages in memory, with their bytes.
    private var kept: [(page: UInt32, bytes: [UInt8])] = []

    /// Returns nil if the file has no pointer map.
    init?(_ pages: CheckedPages) {
        guard pages.largestRoot != 0 else { return nil }
        self.pages = pages
        layout = PointerMapLayout(pageSize: pages.pageSize, usableSize: pages.usableSize)
        isUnreadable = pages.pageCount < 2
    }

    func isMapPage(_ page: UInt32) -> Bool { layout.isMapPage(page) }

    /// Returns a description of the fault in the entry of a page; nil if the entry is correct.
    func fault(_ page: UInt32, isOf kind: UInt8, from parent: UInt32) throws(SQLiteError) -> String? {
        if layout.isMapPage(page) { return "page \(page) is used, though it is one of the pointer map" }
        let place = layout.place(of: page)
        let slot = place.group % Self.keptPages
        while kept.count <= slot { kept.append((0, [UInt8](repeating: 0, count: pages.pageSize))) }
        if kept[slot].page != place.mapPage {
            guard place.mapPage <= pages.pageCount else { return "page \(page) has no entry in the pointer map" }
            try pages.read(place.mapPage, into: &kept[slot].bytes)
            kept[slot].page = place.mapPage
        }
        let entry = kept[slot].bytes[place.offset..<place.offset + PointerMapLayout.entrySize]
        let (foundKind, foundParent) = (entry.first ?? 0, entry.dropFirst().reduce(0) { $0 << 8 | UInt32($1) })
        guard foundKind != kind || foundParent != parent else { return nil }
        return "the pointer map has (\(foundKind), \(foundParent)) for page \(page), expected (\(kind), \(parent))"
    }
}
