import ImportMappings
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreFetching

/// Columns from which attributes are computed. They are determined after all columns with values of their own.
extension ExportPlanner {
    mutating func resolveDeferred(in columns: inout ColumnList) {
        for deferred in columns.deferred {
            switch deferred.mapped.value {
            case .template(let template): split(template, deferred, in: &columns)
            case .expression(let expression): invert(expression, deferred, in: &columns)
            default: break
            }
        }
        columns.deferred = []
    }

    // MARK: Templates

    /// Assigns the parts of a text to the columns that have no other value.
    private mutating func split(
        _ template: TextTemplate, _ deferred: DeferredAttribute, in columns: inout ColumnList
    ) {
        let free = template.columns.filter { columns[$0] == nil }
        guard template.parts.filter({ part in free.contains { part == .column($0) } }).count == free.count else {
            problems.append(
                ExportProblem(deferred.place, "a column occurs twice in its template; name a column for the attribute"))
            return
        }
        if let list = template.columns.first(where: columns.lists.contains) {
            problems.append(ExportProblem(deferred.place, "its text is made of the list \(list)"))
            return
        }
        let whole = text(deferred)
        var inputs = whole.inputs
        var pieces: [TemplateSplit.Piece] = []
        for part in template.parts {
            switch part {
            case .literal(let text): pieces.append(.literal(Array(text.utf8)))
            case .column(let name):
                guard let column = columns[name] else {
                    pieces.append(.free)
                    continue
                }
                let known = text(of: column, columns.forms[name] ?? .text)
                pieces.append(.known(known.body, inputs.count..<inputs.count + known.inputs.count))
                inputs += known.inputs
            }
        }
        for (index, name) in free.enumerated() {
            let split = TemplateSplit(pieces: pieces, piece: index)
            let count = whole.inputs.count
            columns.add(
                name,
                .computed(
                    ComputedText(of: inputs) { values in
                        guard let text = try whole.body(Array(values[..<count])) else { return nil }
                        return try split.text(in: text, values)
                    }))
        }
    }

    // MARK: Expressions

    private mutating func invert(
        _ mapped: MappedExpression, _ deferred: DeferredAttribute, in columns: inout ColumnList
    ) {
        guard let expression = try? Expression(format: mapped.text) else { return }
        let names = mapped.columns.keys.sorted()
        let free = names.filter { columns[mapped.columns[$0] ?? $0] == nil }
        guard !free.isEmpty else {
            // Other columns have the value. The trial determines whether the expression returns it.
            if names.isEmpty, mapped.text.contains("now") {
                problems.append(
                    ExportProblem(deferred.place, "it is the time of the import, whatever the object has"))
            }
            return
        }
        guard free.count == 1, case .expression(let value) = deferred.attribute,
            let inverse = ExpressionInverse(of: free[0], in: expression, known: known(names, mapped, columns))
                .expression(of: value)
        else {
            let reason =
                free.count == 1
                ? "\(mapped.text) has no inverse in \(free[0])"
                : "\(mapped.text) is computed from \(free.joined(separator: ", ")), which one value cannot give back"
            problems.append(
                ExportProblem(
                    deferred.place, "\(reason); take the attribute from a column of its own, or leave it out"))
            return
        }
        let name = mapped.columns[free[0]] ?? free[0]
        if inverse == value {
            columns.add(name, deferred.attribute, deferred.style, form: deferred.form)
        } else {
            columns.add(name, .expression(inverse), ValueStyle(), form: .any)
        }
    }

    /// Returns the values of the other names in an expression.
    private func known(
        _ names: [String], _ mapped: MappedExpression, _ columns: ColumnList
    ) -> [String: Expression] {
        var known: [String: Expression] = [:]
        for name in names {
            guard case .expression(let value)? = columns[mapped.columns[name] ?? name]?.content else { continue }
            known[name] = value
        }
        return known
    }

    // MARK: Filters

    /// Columns without other values get the texts that a filter requires; other columns are tested in the trial.
    mutating func add(_ filter: RecordFilter, at place: String, to columns: inout ColumnList) {
        var solution = FilterSolution(known: Set(columns.columns.filter { !$0.isEmpty }.map(\.text)))
        guard solution.satisfy(filter, true) else {
            problems.append(ExportProblem(place, "its filter accepts no record"))
            return
        }
        if let list = filter.columns.first(where: columns.lists.contains) {
            problems.append(ExportProblem(place, "its filter is about the list \(list)"))
        }
        if solution.usesKnown { columns.needsTrial = true }
        for (column, text) in solution.texts {
            columns.add(column, .expression(.constant(text.map { .string($0) } ?? .null)))
        }
    }

    // MARK: Texts of columns

    private typealias Text = (inputs: [FetchedProperty.Content], body: ComputedText.Body)

    private func text(_ deferred: DeferredAttribute) -> Text {
        text(of: ExportColumn(path: [], deferred.attribute, deferred.style, text: deferred.place), deferred.form)
    }

    private func text(of column: ExportColumn, _ form: ValueForm) -> Text {
        if case .computed(let text) = column.content { return (text.inputs, text.body) }
        let writer = ValueText(
            form: form, style: column.style, externalData: ExternalDataReader(of: store.files), name: column.text)
        return ([column.content], { values in try writer.text(of: values[0]) })
    }
}
