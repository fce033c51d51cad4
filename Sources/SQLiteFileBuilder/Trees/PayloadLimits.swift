/// How much of a payload is stored in its cell; the rest is on overflow pages ("Database File Format", section 1.6).
struct PayloadLimits {
    let usable: Int
    /// The largest payload that is stored completely in its cell.
    let largest: Int
    private let smallest: Int

    /// - Parameter usable: the number of usable bytes of a page.
    init(usable: Int, isTable: Bool) {
        self.usable = usable
        largest = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
        smallest = (usable - 12) * 32 / 255 - 23
    }

    /// Returns how many bytes of a payload are stored in its cell.
    @inline(__always)
    func local(_ size: Int) -> Int {
        if size <= largest { return size }
        let wanted = smallest + (size - smallest) % (usable - 4)
        return wanted <= largest ? wanted : smallest
    }
}
