import RecordSources

/// Shows the records of a CSV file that cannot be read, each with its line and the reason.
func showDamagedRecords(in path: String, show: (String) -> Void) throws {
    var source = try DelimitedSource(ByteInput(path: path))
    var batch = RecordBatch()
    while try source.next(into: &batch) {
        for record in 0..<batch.count {
            guard let problem = batch.problem(of: record) else { continue }
            show("\(path):\(problem.line): \(problem.sentence)")
        }
    }
}
