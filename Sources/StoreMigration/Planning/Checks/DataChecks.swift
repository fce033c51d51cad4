import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// Queries the rows of a source for data that would break in a migration. All questions about the same rows are
/// answered in one pass, because usually no rows are affected.
struct DataChecks {
    private let store: SQLiteStore

    /// The functions that the conditions of questions call.
    let tests: ValueTests

    /// The largest number of conditions that are counted in one pass; results of SQLite have at most 2000 columns.
    var maximumConditions = 400

    init(_ store: SQLiteStore) throws(SQLiteError) {
        self.store = store
        tests = try ValueTests(store.connection)
    }

    private var connection: Connection { store.connection }

    /// Returns the findings of the questions that apply to rows, in the order of the questions.
    func findings(of questions: [DataQuestion]) throws(SQLiteError) -> [MigrationFinding] {
        Self.findings(of: questions, try answers(to: questions))
    }

    static func findings(of questions: [DataQuestion], _ answers: [ConcernedObjects]) -> [MigrationFinding] {
        zip(questions, answers).compactMap { question, objects in
            objects.count > 0 ? question.finding?.about(objects, question) : nil
        }
    }

    /// Returns the objects to which each question applies.
    func answers(to questions: [DataQuestion]) throws(SQLiteError) -> [ConcernedObjects] {
        // The statements refer to the tests without retaining them.
        defer { withExtendedLifetime(tests) {} }
        let counts = try counts(of: questions)
        var result: [ConcernedObjects] = []
        for (question, known) in zip(questions, counts) {
            var objects = ConcernedObjects()
            for (place, count) in zip(question.places, known) { try objects.add(place, count, question, in: store) }
            result.append(objects)
        }
        return result
    }

    // MARK: - Counting

    /// Returns the number of rows for each place of each question; nil for groups, whose queries return their numbers.
    private func counts(of questions: [DataQuestion]) throws(SQLiteError) -> [[Int64?]] {
        var result = questions.map { [Int64?](repeating: nil, count: $0.places.count) }
        var together: [String: [(question: Int, place: Int, condition: String)]] = [:]
        var queries: [SourceRows] = []
        for (question, asked) in questions.enumerated() {
            for (place, asked) in asked.places.enumerated() {
                guard case .rows(let rows, let condition) = asked else { continue }
                if together[rows.query] == nil { queries.append(rows) }
                together[rows.query, default: []].append((question, place, condition))
            }
        }
        for rows in queries {
            let query = rows.query
            let conditions = together[query] ?? []
            if conditions.count == 1, conditions[0].condition == DataQuestion.always, let objects = rows.objects {
                result[conditions[0].question][conditions[0].place] = try RowCount.rows(
                    of: objects.table, having: ("Z_ENT", Int64(objects.entityNumber)), on: connection)
                continue
            }
            for start in stride(from: 0, to: conditions.count, by: maximumConditions) {
                let some = conditions[start..<min(start + maximumConditions, conditions.count)]
                let answer = try counts(query, some.map(\.condition))
                for (asked, count) in zip(some, answer) { result[asked.question][asked.place] = count }
            }
        }
        return result
    }

    private func counts(_ query: String, _ conditions: [String]) throws(SQLiteError) -> [Int64] {
        // A single condition may be answered by an index.
        if conditions.count == 1 {
            return [try connection.value("SELECT count(*) \(query) AND (\(conditions[0]))").integer ?? 0]
        }
        let columns = conditions.map { "count(CASE WHEN \($0) THEN 1 END)" }.joined(separator: ", ")
        return (try connection.rows("SELECT \(columns) \(query)").first ?? []).map { $0.integer ?? 0 }
    }
}

extension ConcernedObjects {
    /// Adds the objects of one place of a question.
    ///
    /// - Parameter count: the number of objects; nil if it is not known.
    fileprivate mutating func add(
        _ place: DataQuestion.Place, _ count: Int64?, _ question: DataQuestion, in store: SQLiteStore
    ) throws(SQLiteError) {
        switch place {
        case .groups(let query, let layout):
            try addGroups(query, in: layout, of: store)
        case .rows(let rows, let condition):
            guard let count, count > 0 else { return }
            self.count += count
            guard case .objects = question.detail, examples.count < Self.exampleCount else { return }
            let columns = [rows.key, question.value].compactMap(\.self).joined(separator: ", ")
            let found = try store.connection.rows(
                "SELECT \(columns) \(rows.query) AND (\(condition)) ORDER BY 1 "
                    + "LIMIT \(Self.exampleCount - examples.count)")
            for row in found {
                guard let key = row[0].integer else { continue }
                examples.append(store.uri(of: key, entity: rows.entity))
                if row.count > 1 { values.append(row[1].literal) }
            }
        }
    }

    private mutating func addGroups(
        _ query: String, in layout: StoreLayout, of store: SQLiteStore
    ) throws(SQLiteError) {
        let statement = try store.connection.prepare(query)
        while try statement.step() {
            count += statement.integer(2)
            if examples.count < Self.exampleCount,
                let slot = layout.slot(ofEntityNumber: Int(statement.integer(1)))
            {
                examples.append(store.uri(of: statement.integer(0), entity: layout.model.entities[slot].name))
            }
        }
    }
}

extension MigrationFinding {
    /// Returns the finding with the details of the objects to which it applies.
    fileprivate func about(_ objects: ConcernedObjects, _ question: DataQuestion) -> MigrationFinding {
        if case .none = question.detail { return self }
        return about(objects.count, objects.examples, values: question.value.map { _ in objects.values })
    }

    func about(_ count: Int64, _ examples: [String], values: [String]?) -> MigrationFinding {
        MigrationFinding(
            severity, code, cocoaCode: cocoaCode, subject: subject, message: message, count: count,
            examples: examples, values: values)
    }
}
