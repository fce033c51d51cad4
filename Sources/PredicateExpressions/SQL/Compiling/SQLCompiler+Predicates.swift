import SQLiteAccess
import TextEncodings

extension SQLCompiler {
    /// Returns a predicate as a scalar: 1, 0 or NULL.
    mutating func condition(_ predicate: Predicate) throws(SQLRefusal) -> SQLCondition {
        let cost = predicate.isQuantified ? 14 : 3
        try descend(cost, into: .predicate(predicate))
        let (mayFailBefore, deepestBefore) = (mayFail, deepest)
        (mayFail, deepest) = (false, depth)
        defer {
            ascend(cost)
            (mayFail, deepest) = (mayFail || mayFailBefore, max(deepest, deepestBefore))
        }
        switch predicate {
        case .constant(let value): return SQLCondition(value ? "1" : "0")
        case .comparison(let comparison): return SQLCondition(try condition(comparison), mayFail: mayFail)
        case .not(let operand): return SQLCondition("(NOT \(try condition(operand).text))", mayFail: mayFail)
        case .and(let parts): return try joined(parts, of: predicate, SQLCondition.all)
        case .or(let parts): return try joined(parts, of: predicate, SQLCondition.any)
        }
    }

    private mutating func joined(
        _ parts: [Predicate], of predicate: Predicate, _ join: ([SQLCondition]) -> SQLCondition
    ) throws(SQLRefusal) -> SQLCondition {
        guard parts.count <= limits.parts else {
            throw SQLRefusal(part: predicate.format, reason: "it has too many parts")
        }
        let isOneChain = parts.count <= Self.maximumCount
        // In about as many groups as each has parts, since a chain is as deep as it is long.
        let size = isOneChain ? 1 : Int(Double(parts.count).squareRoot().rounded(.up))
        let length = (parts.count + size - 1) / size
        chainDepth += length
        defer { chainDepth -= length }
        guard chainDepth <= Self.maximumChainDepth else {
            throw SQLRefusal(part: predicate.format, reason: "it is nested too deeply for SQLite")
        }
        var conditions: [SQLCondition] = []
        if isOneChain {
            for part in parts {
                conditions.append(try condition(part))
            }
        } else {
            for start in stride(from: 0, to: parts.count, by: size) {
                try descend(Self.groupCost, into: .predicate(predicate))
                defer { ascend(Self.groupCost) }
                let group = Array(parts[start..<min(start + size, parts.count)])
                conditions.append(try joined(group, of: predicate, join))
            }
        }
        guard parameters.count <= limits.parameters else {
            throw SQLRefusal(part: predicate.format, reason: "it has too many values")
        }
        let result = join(conditions)
        if result.mayFail { try enclose(.predicate(predicate), result.text) }
        return result
    }

    private mutating func condition(_ comparison: ComparisonPredicate) throws(SQLRefusal) -> String {
        guard !comparison.options.contains(.localeSensitive) else {
            throw refuse(comparison, "[l] depends on the machine's language")
        }
        let right = try term(comparison.right)
        let left = try term(comparison.left)
        let text =
            switch comparison.modifier {
            case .direct: try compare(left, right, comparison)
            case .any, .all: try quantified(left, right, comparison)
            }
        // SQLite evaluates expressions that are the same for all rows before it knows whether there are any.
        if mayFail, !needsRow(comparison.left), !needsRow(comparison.right) {
            throw refuse(comparison, "it may fail where there are no rows")
        }
        return text
    }

    func refuse(_ comparison: ComparisonPredicate, _ reason: String) -> SQLRefusal {
        SQLRefusal(part: Predicate.comparison(comparison).format, reason: reason)
    }

    /// Compiles ANY and ALL, which count true comparisons, and are therefore never unknown.
    private mutating func quantified(
        _ left: SQLTerm, _ right: SQLTerm, _ comparison: ComparisonPredicate
    ) throws(SQLRefusal) -> String {
        let isAny = comparison.modifier == .any
        switch left {
        case .rows(let rows):
            let element = SQLOperand(text: rows.value, kind: rows.kind)
            let condition = try compare(.value(element), right, comparison)
            var found = rows
            found.add(SQLCondition(isAny ? "(\(condition))" : "(\(condition) IS NOT TRUE)", mayFail: mayFail))
            if mayFail { try enclose(.predicate(.comparison(comparison)), condition) }
            return "(\(isAny ? "" : "NOT ")EXISTS (SELECT 1 \(found.clauses())))"
        case .value(let operand): return "(\(try compare(.value(operand), right, comparison)) IS TRUE)"
        case .list(let operands):
            guard operands.count <= Self.maximumCount else {
                throw refuse(comparison, "ANY or ALL is of too many elements")
            }
            var texts: [String] = []
            for var operand in operands {
                // A NULL in a list is an unknown element, and not a test for NULL.
                operand.asksForNull = false
                texts.append("(\(try compare(.value(operand), right, comparison)) IS TRUE)")
            }
            guard !texts.isEmpty else { return isAny ? "0" : "1" }
            return "(" + texts.joined(separator: isAny ? " OR " : " AND ") + ")"
        }
    }

    private mutating func compare(
        _ left: SQLTerm, _ right: SQLTerm, _ comparison: ComparisonPredicate
    ) throws(SQLRefusal) -> String {
        switch (comparison.comparisonOperator, left, right) {
        case (.memberOf, .value(let value), .value(let whole)): return try part(whole, value, comparison)
        case (.memberOf, .value(let value), _): return try membership(value, right, comparison)
        case (.contains, .value(let whole), .value(let value)): return try part(whole, value, comparison)
        case (.contains, _, .value(let value)): return try membership(value, left, comparison)
        case (.between, .value(let value), .list(let bounds)) where bounds.count == 2:
            let value = checked(value)
            for bound in bounds {
                try requireOrder(value, bound, comparison)
            }
            return "(\(folded(value, comparison)) BETWEEN \(folded(bounds[0], comparison)) "
                + "AND \(folded(bounds[1], comparison)))"
        case (_, .value(let first), .value(let second)): return try compare(checked(first), checked(second), comparison)
        case (.equal, .rows(let rows), .value(let value)), (.notEqual, .rows(let rows), .value(let value)),
            (.equal, .value(let value), .rows(let rows)), (.notEqual, .value(let value), .rows(let rows)):
            if case .object = rows.kind, value.kind != .null {
                throw SQLRefusal(comparison, .notACollection(value.kind.name))
            }
            throw refuse(comparison, "a collection is compared; ANY or ALL may be missing")
        default: throw refuse(comparison, "a collection is compared; ANY or ALL may be missing")
        }
    }

    private mutating func compare(
        _ left: SQLOperand, _ right: SQLOperand, _ comparison: ComparisonPredicate
    ) throws(SQLRefusal) -> String {
        let asksForNull = left.asksForNull || right.asksForNull
        switch comparison.comparisonOperator {
        case .equal, .notEqual:
            let isEqual = comparison.comparisonOperator == .equal
            let (left, right) = try unified(left, right, comparison)
            let symbol = asksForNull ? (isEqual ? "IS" : "IS NOT") : (isEqual ? "=" : "<>")
            return "(\(folded(left, comparison)) \(symbol) \(folded(right, comparison)))"
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            try requireOrder(left, right, comparison)
            let symbol = comparison.comparisonOperator.symbol
            return "(\(folded(left, comparison)) \(symbol) \(folded(right, comparison)))"
        case .beginsWith, .endsWith: return try part(left, right, comparison)
        case .like, .matches:
            try requireTexts(left, right, comparison)
            try requirePattern(right, comparison)
            let isRegular = comparison.comparisonOperator == .matches
            return function(
                isRegular ? SQLFunction.matches : SQLFunction.like, left.text, right.text,
                "\(comparison.options.rawValue)", mayFail: isRegular)
        default: throw refuse(comparison, "its right side must be a collection")
        }
    }

    private func requireOrder(
        _ left: SQLOperand, _ right: SQLOperand, _ comparison: ComparisonPredicate
    ) throws(SQLRefusal) {
        let isOrdered = left.kind.isComparable(to: right.kind) && left.kind.hasOrder || left.kind == .null
        guard isOrdered, right.kind.hasOrder || right.kind == .null else {
            throw refuse(comparison, "\(left.kind.name) and \(right.kind.name) have no order")
        }
    }

    private func requireTexts(
        _ left: SQLOperand, _ right: SQLOperand, _ comparison: ComparisonPredicate
    ) throws(SQLRefusal) {
        for kind in [left.kind, right.kind] where !kind.isText && kind != .null {
            throw refuse(comparison, "\(kind.name) is not a string")
        }
    }

    /// Checks a pattern, which is an error before any row is read.
    private func requirePattern(_ pattern: SQLOperand, _ comparison: ComparisonPredicate) throws(SQLRefusal) {
        guard case .string(let text)? = pattern.constant else { return }
        do {
            let isRegular = comparison.comparisonOperator == .matches
            _ = try TextPattern(text, isRegular: isRegular, options: comparison.options)
        } catch {
            throw refuse(comparison, error.detail)
        }
    }

    /// Returns both sides of an equality: the text of a UUID becomes its bytes.
    private mutating func unified(
        _ left: SQLOperand, _ right: SQLOperand, _ comparison: ComparisonPredicate
    ) throws(SQLRefusal) -> (SQLOperand, SQLOperand) {
        switch (left.kind, right.kind) {
        case (.uuid, .string): return (left, try uuid(right, comparison))
        case (.string, .uuid): return (try uuid(left, comparison), right)
        case (.object(let one), .object(let other)):
            guard schema.table(of: one) == schema.table(of: other) else {
                throw refuse(comparison, "the objects are of different tables")
            }
        case (.object(let entity), _) where right.kind != .null:
            return (left, try object(right, in: schema.table(of: entity), comparison))
        case (_, .object(let entity)) where left.kind != .null:
            return (try object(left, in: schema.table(of: entity), comparison), right)
        case _ where left.kind.isComparable(to: right.kind): break
        default: throw refuse(comparison, "\(left.kind.name) and \(right.kind.name) are compared")
        }
        return (left, right)
    }

    /// Returns the primary key of the object with the ID in a constant text.
    private mutating func object(
        _ operand: SQLOperand, in table: SQLTable, _ comparison: ComparisonPredicate
    ) throws(SQLRefusal) -> SQLOperand {
        let text: String
        switch operand.constant {
        case .string(let constant)?, .url(let constant)?: text = constant
        default: throw SQLRefusal(comparison, .notAnObject(operand.kind.name))
        }
        switch text.hasPrefix("x-coredata:") ? schema.object(at: text) : .failure(.notAnObject(operand.kind.name)) {
        case .failure(let fault): throw SQLRefusal(comparison, fault)
        case .success(let object):
            let entity = Int(object.entity)
            guard schema.table(of: entity) == table else {
                throw refuse(comparison, "the objects are of different tables")
            }
            return SQLOperand(text: parameter(.integer(object.key)), kind: .object(entity: entity))
        }
    }

    private mutating func uuid(
        _ operand: SQLOperand, _ comparison: ComparisonPredicate
    ) throws(SQLRefusal) -> SQLOperand {
        guard case .string(let text)? = operand.constant, let bytes = UUIDText.bytes(text) else {
            throw refuse(comparison, "a UUID is compared with a string that is not a constant UUID")
        }
        return SQLOperand(text: parameter(.blob(bytes)), kind: .uuid)
    }

    /// Returns the text of an operand, folded if the comparison ignores case or diacritics.
    private mutating func folded(_ operand: SQLOperand, _ comparison: ComparisonPredicate) -> String {
        guard operand.kind == .string, TextComparison.isFolding(comparison.options) else { return operand.text }
        return function(SQLFunction.fold, operand.text, "\(comparison.options.rawValue)")
    }

    // MARK: Parts and members

    /// Returns whether a string contains, begins with or ends with another.
    private mutating func part(
        _ whole: SQLOperand, _ part: SQLOperand, _ comparison: ComparisonPredicate
    ) throws(SQLRefusal) -> String {
        let (whole, part) = (checked(whole), checked(part))
        try requireTexts(whole, part, comparison)
        let options = "\(comparison.options.rawValue)"
        let isFolding = TextComparison.isFolding(comparison.options)
        switch comparison.comparisonOperator {
        case .beginsWith:
            return isFolding
                ? function(SQLFunction.beginsWith, whole.text, part.text, options)
                : "(instr(\(whole.text), \(part.text)) = 1)"
        case .endsWith: return function(SQLFunction.endsWith, whole.text, part.text, options)
        default:
            return isFolding
                ? function(SQLFunction.contains, whole.text, part.text, options)
                : "(instr(\(whole.text), \(part.text)) > 0)"
        }
    }

    private mutating func membership(
        _ value: SQLOperand, _ collection: SQLTerm, _ comparison: ComparisonPredicate
    ) throws(SQLRefusal) -> String {
        let value = checked(value)
        switch collection {
        case .rows(let rows):
            let element = SQLOperand(text: rows.value, kind: rows.kind)
            let (unified, _) = try unified(value, element, comparison)
            guard value.kind != .string || rows.kind != .uuid, value.kind != .uuid || rows.kind != .string else {
                throw refuse(comparison, "UUIDs are compared with strings")
            }
            return "(\(folded(unified, comparison)) IN (SELECT \(folded(element, comparison)) \(rows.clauses())))"
        case .list(let elements):
            // The value stays in the text, since its parameters are bound.
            guard !elements.isEmpty else { return "(\(value.text) IN ())" }
            var texts: [String] = []
            for element in elements {
                let (first, second) = try unified(value, element, comparison)
                guard first.text == value.text else { throw refuse(comparison, "UUIDs are compared with strings") }
                texts.append(folded(second, comparison))
            }
            return "(\(folded(value, comparison)) IN (\(texts.joined(separator: ", "))))"
        case .value: throw refuse(comparison, "its right side must be a collection")
        }
    }
}

extension Predicate {
    /// Whether it becomes a separate subselect.
    fileprivate var isQuantified: Bool {
        guard case .comparison(let comparison) = self else { return false }
        switch comparison.comparisonOperator {
        case .memberOf, .contains: return true
        default: return comparison.modifier != .direct
        }
    }
}
