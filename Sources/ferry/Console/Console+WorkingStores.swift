import StoreConversion

extension Console {
    /// Says what of a store of another type the SQLite store that stands for it could not take as it is.
    static func noteWarnings(of working: WorkingStore) {
        for finding in working.findings where finding.isWarning {
            note("\(working.original): \(finding)\n")
        }
    }
}
