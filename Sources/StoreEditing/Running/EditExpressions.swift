import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Translates the expressions of assignments into SQL, over rows `s` of an entity's table.
struct EditExpressions {
    private let layout: StoreLayout
    private let rows: RowExpressions
    /// The expressions without an SQL form, collected while statements are made.
    let functions = ValueFunctionTable()

    init(_ layout: StoreLayout, storeUUID: String, now: Double) {
        self.layout = layout
        rows = RowExpressions(StoreSQLSchema(layout: layout, storeUUID: storeUUID), now: now)
    }

    func attribute(_ name: String, of entity: ResolvedEntity, _ step: EditStep) throws -> ResolvedAttribute {
        guard let attribute = entity.attribute(named: name) else {
            throw EditError(
                step,
                entity.relationship(named: name) == nil
                    ? "\(entity.name) has no stored attribute \(name)"
                    : "\(name) is a relationship; link objects with relate")
        }
        guard attribute.isStored else { throw EditError(step, "\(name) is not in the store") }
        guard !attribute.isDerived else { throw EditError(step, "\(name) is derived; set what it is derived from") }
        return attribute
    }

    /// The SQL of the value that an assignment writes, and of the number from which it is made, if the type may not be
    /// able to hold that.
    struct Value {
        let stored: String
        let number: String?
    }

    func value(
        _ assignment: EditAssignment, of attribute: ResolvedAttribute, _ entity: ResolvedEntity, _ step: EditStep
    ) throws -> Value {
        switch assignment.content {
        case .expression(let text): return try value(text, of: attribute, entity, step)
        case .bytes(let bytes, _):
            let literal = SQLiteValue.blob(bytes).literal
            let isTagged = attribute.description.hasExternalData
            return Value(stored: isTagged ? RowExpressions.inline(literal) : literal, number: nil)
        case .json: throw EditError(step, "\(attribute.name): the value was not transformed")
        }
    }

    private func value(
        _ text: String, of attribute: ResolvedAttribute, _ entity: ResolvedEntity, _ step: EditStep
    ) throws -> Value {
        let row = SQLRow(alias: "s", entity: entity.slot)
        do {
            let expression = try Expression(format: text)
            let isDecimal = attribute.type == .decimal
            if isDecimal || attribute.type.integerRange != nil,
                let number = try Expression.inexactNumber(in: text, forDecimal: isDecimal)
            {
                throw EditError(
                    step,
                    "\(attribute.name): \(number) has more digits than the store keeps, which are about 15 of numbers "
                        + "that are not 64-bit integers; round it")
            }
            let fragment: SQLFragment
            do {
                fragment = try rows.compiler(row).compile(expression)
            } catch {
                let call = try rows.call(
                    expression, on: row,
                    for: ValueUse(
                        type: attribute.type, subject: "\(entity.name).\(attribute.name)", group: step.description,
                        reason: "\(error)"), functions)
                return Value(stored: call, number: ValueFunction.number(ofCall: call))
            }
            if let stored = RowExpressions.stored(fragment, in: attribute) {
                let isNumber = fragment.kind == .real || fragment.kind == .decimal
                return Value(
                    // A Float value is rounded to single precision, as an object's accessors do.
                    stored: attribute.type == .float ? Connection.single(stored) : stored,
                    number: isNumber ? fragment.literalText : nil)
            }
            throw EditError(
                step,
                "\(text) gives \(fragment.kind.name), and \(attribute.name) is of type \(attribute.type.name); convert it "
                    + "with CAST" + (attribute.type == .transformable ? ", or give its value as JSON" : ""))
        } catch let error as EditError {
            throw error
        } catch {
            throw EditError(step, "\(attribute.name): \(error)")
        }
    }
}
