/// What each page is for and which page leads to it, for databases that give pages back ("Database File Format",
/// section 1.8): a map page of five bytes for each of the pages that follow it.
///
/// The map pages of the end of the file are in memory; entries of earlier ones are written to the file one by one.
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
    /// Map pages in memory.
    private let windowPages: Int
    /// The first group in memory.
    @exclusivity(unchecked) private(set) var firstGroup = 0
    @exclusivity(unchecked) private(set) var window: ByteBuffer

    init(pageSize: Int, windowPages: Int) {
        self.pageSize = pageSize
        self.windowPages = windowPages
        layout = PointerMapLayout(pageSize: pageSize, usableSize: pageSize)
        window = ByteBuffer(capacity: windowPages * pageSize)
    }

    func isInWindow(_ group: Int) -> Bool { group < firstGroup + windowPages }

    /// The bytes of a group in the window.
    func range(ofGroup group: Int) -> Range<Int> {
        let start = group % windowPages * pageSize
        return start..<start + pageSize
    }

    func store(_ kind: Kind, parent: UInt32, at place: PointerMapLayout.Place) {
        let start = range(ofGroup: place.group).lowerBound + place.offset
        window[start] = kind.rawValue
        window.store(parent, at: start + 1)
    }

    /// Forgets the first group in memory, which has been written.
    func advance() {
        window.clear(range(ofGroup: firstGroup))
        firstGroup += 1
    }
}
