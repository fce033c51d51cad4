import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

extension StepRunner {
    /// Fills tables of a file that is being built; the runner's connection only reads.
    func build(_ steps: [MigrationStep], into builder: DatabaseBuilder) throws {
        try forEach(steps) { step in
            guard case .fill(let fill) = step.work else { return }
            let select = try connection.prepare(fill.selectStatement)
            try select.bindInteger(.min, at: 1)
            try select.bindInteger(.max, at: 2)
            let copy = TableCopy(select, columns: fill.columns, into: try builder.table(step.table))
            while true {
                try checkCancelled()
                let rows = try copy.append(atMost: options.limits.rows)
                finishBatch(Int64(rows))
                if rows < options.limits.rows { break }
            }
        }
    }
}
