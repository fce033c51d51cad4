extension TreePage {
    /// Records in the pointer map the pages to which this page leads: children, and overflow pages of its cells.
    func notePointers(
        of number: UInt32, rightChild: UInt32, limits: PayloadLimits, hasOverflow: Bool, in file: PageFile
    ) throws(BuildError) {
        if kind.isInterior {
            for index in 0..<cellCount {
                try file.point(to: bytes.load(at: cell(index).lowerBound), .node, from: number)
            }
            if rightChild != 0 { try file.point(to: rightChild, .node, from: number) }
        }
        guard hasOverflow, kind != .tableInterior else { return }
        for index in 0..<cellCount {
            let cell = cell(index)
            let payload = bytes.loadVarint(at: cell.lowerBound + (kind.isInterior ? 4 : 0)).value
            // The last bytes of the cell are the number of the first overflow page.
            guard payload > limits.largest else { continue }
            try file.point(to: bytes.load(at: cell.upperBound - 4), .firstOverflow, from: number)
        }
    }
}
