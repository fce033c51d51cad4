/// The purpose of each page, and the page that leads to it, in databases with auto-vacuum ("Database File Format",
/// section 1.8). A map page has five bytes for each of the pages that follow it.
///
/// The map pages at the end of the file are kept in memory. Entries of earlier map pages are written to the file one by
/// one.
final class PointerMap {
    enum Kind: UInt8 {
        case root = 1
        case free = 2
        case firstOverflow = 3
        case laterOverflow = 4
        case node = 5
    }

    let layout: PointerMapLayout
    private let pageSize: Int
    /// The number of map pages in memory.
    private let windowPages: Int
    /// The first group that is in memory.
    @exclusivity(unchecked) private(set) var firstGroup = 0
    @exclusivity(unchecked) private(set) var window: ByteBuffer

    init(pageSize: Int, windowPages: Int) {
        self.pageSize = pageSize
        self.windowPages = windowPages
        layout = PointerMapLayout(pageSize: pageSize, usableSize: pageSize)
        window = ByteBuffer(capacity: windowPages * pageSize)
    }

    func isInWindow(_ group: Int) -> Bool { group < firstGroup + windowPages }

    /// Returns the bytes of a group in the window.
    func range(ofGroup group: Int) -> Range<Int> {
        let start = group % windowPages * pageSize
        return start..<start + pageSize
    }

    func store(_ kind: Kind, parent: UInt32, at place: PointerMapLayout.Place) {
        let start = range(ofGroup: place.group).lowerBound + place.offset
        window[start] = kind.rawValue
        window.store(parent, at: start + 1)
    }

    /// Removes the first group from memory after it has been written.
    func advance() {
        window.clear(range(ofGroup: firstGroup))
        firstGroup += 1
    }
}
