/// Which pages of a file hold its pointer map, and where the entry of each page is ("Database File Format", section
/// 1.8): every map page covers the pages that follow it.
struct PointerMapLayout {
    /// Where the entry of a page is.
    struct Place {
        /// The number of the map page among map pages.
        var group: Int
        var mapPage: UInt32
        var offset: Int
    }

    /// Bytes: what a page is for, and the page that leads to it.
    static let entrySize = 5

    /// The page that SQLite never uses: its locks have the bytes at this place in the file.
    let lockPage: UInt32
    /// Pages of one group: a map page and those it covers.
    private let groupPages: UInt32

    init(pageSize: Int, usableSize: Int) {
        lockPage = Self.lockPage(pageSize: pageSize)
        groupPages = UInt32(usableSize / Self.entrySize) + 1
    }

    static func lockPage(pageSize: Int) -> UInt32 { UInt32((1 << 30) / pageSize) + 1 }

    func mapPage(ofGroup group: Int) -> UInt32 {
        let page = UInt32(group) * groupPages + 2
        return page == lockPage ? page + 1 : page
    }

    func isMapPage(_ number: UInt32) -> Bool {
        number >= 2 && mapPage(ofGroup: Int((number - 2) / groupPages)) == number
    }

    /// The place of a page that is neither the first nor a map page.
    func place(of number: UInt32) -> Place {
        let group = Int((number - 2) / groupPages)
        let mapPage = mapPage(ofGroup: group)
        return Place(group: group, mapPage: mapPage, offset: Self.entrySize * Int(number - mapPage - 1))
    }
}
