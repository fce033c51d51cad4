import StoreConversion

extension Console {
    /// Prints warnings about the data that changed when a store of another type was represented by an SQLite store.
    static func noteWarnings(of working: WorkingStore) {
        for finding in working.findings where finding.isWarning {
            note("\(working.original): \(finding)\n")
        }
    }
}
