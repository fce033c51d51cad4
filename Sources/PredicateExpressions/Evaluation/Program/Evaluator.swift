/// Evaluates a program for one row.
struct Evaluator<Context: EvaluationContext> {
    private let program: Program
    private let context: Context
    /// The current elements of the enclosing subqueries.
    private var locals: [ExpressionValue]
    /// The current node, for errors.
    private var current = 0
    /// The number of elements that subqueries have examined.
    private var subqueryElements = 0

    init(_ program: Program, _ context: Context) {
        self.program = program
        self.context = context
        locals = program.localCount == 0 ? [] : Array(repeating: .null, count: program.localCount)
    }

    mutating func evaluate() throws -> ExpressionValue {
        do {
            return try value(program.root)
        } catch let fault as EvaluationFault {
            throw program.error(fault, at: current)
        }
    }

    mutating func evaluateTruth() throws -> Bool? {
        do {
            return try truth(program.root)
        } catch let fault as EvaluationFault {
            throw program.error(fault, at: current)
        }
    }

    // MARK: Values

    private mutating func value(_ node: Int) throws -> ExpressionValue {
        switch program.nodes[node] {
        case .constant(let number): return program.constants[number]
        case .slot(let slot):
            current = node
            return try context.value(at: slot)
        case .local(let number): return locals[number]
        case .arithmetic(let function, let left, let right):
            let first = try value(left)
            let second = try value(right)
            current = node
            let result = try function.apply(first, second)
            if case .string(let text) = result { try program.limits.check(textBytes: text.utf8.count) }
            return result
        default: return try otherValue(node)
        }
    }

    private mutating func otherValue(_ node: Int) throws -> ExpressionValue {
        switch program.nodes[node] {
        case .constant, .slot, .local, .arithmetic: return try value(node)
        case .key(let operand, let slot, let valueKey):
            let object = try value(operand)
            current = node
            return try member(of: object, slot, valueKey)
        case .number(let function, let operand):
            let operand = try value(operand)
            current = node
            return try function.apply(operand)
        case .text(let function, let operand):
            let operand = try value(operand)
            current = node
            return try function.apply(operand)
        case .collection(let function, let operand):
            let operand = try value(operand)
            current = node
            return try function.apply(operand)
        case .cast(let operand, let target):
            let operand = try value(operand)
            current = node
            return try target.convert(operand)
        case .now: return .date(context.now)
        case .conditional(let predicate, let first, let second):
            return try value(try truth(predicate) == true ? first : second)
        case .truth, .and, .or, .not, .compare: return try truth(node).map { .boolean($0) } ?? .null
        default: return try rareValue(node)
        }
    }

    private mutating func rareValue(_ node: Int) throws -> ExpressionValue {
        switch program.nodes[node] {
        case .call(let slot, let target, let arguments):
            let target = try target.map { try value($0) } ?? .null
            let arguments = try values(arguments)
            current = node
            return try context.call(slot, on: target, arguments)
        case .method(let method, let target, let arguments):
            let target = try value(target)
            let arguments = try values(arguments)
            current = node
            return try method.call(on: target, arguments, program.limits)
        case .fetch(let request, let target, let countOnly):
            let request = try value(request)
            let target = try value(target)
            current = node
            return try context.fetch(request: request, context: target, countOnly: countOnly)
        case .tokens(let operand, let separators):
            let (text, separators) = (try value(operand), try value(separators))
            current = node
            return try ElementFunction.tokens(of: text, separatedBy: separators, program.limits)
        case .random: return .real(Double.random(in: 0..<1))
        case .newUUID: return ElementFunction.newUUID()
        case .randomBelow(let limit):
            let limit = try value(limit)
            current = node
            return try ElementFunction.random(below: limit)
        case .list(let range): return .array(try values(range))
        case .set(let operation, let left, let right):
            let (first, second) = (try value(left), try value(right))
            current = node
            return try ElementFunction.combine(operation, first, second)
        case .element(let operand, let index):
            let (elements, index) = (try value(operand), try value(index))
            current = node
            return try ElementFunction.element(of: elements, at: index)
        case .symbolicElement(let operand, let symbol):
            let elements = try value(operand)
            current = node
            return try ElementFunction.element(of: elements, symbol)
        case .subquery(let collection, let local, let predicate):
            return try subquery(node, collection, local, predicate)
        default: return try otherValue(node)
        }
    }

    private mutating func values(_ range: Range<Int>) throws -> [ExpressionValue] {
        var values: [ExpressionValue] = []
        values.reserveCapacity(range.count)
        for number in range {
            values.append(try value(program.lists[number]))
        }
        return values
    }

    /// Returns the value of a key; for a collection, those of its elements: nested collections are flattened, and NULL
    /// elements have no keys. An attribute that is NULL is an element.
    private func member(
        of value: ExpressionValue, _ slot: Int?, _ valueKey: ValueKey?
    ) throws -> ExpressionValue {
        switch value {
        case .null: return slot.map { context.absentValue(at: $0) } ?? .null
        case .object(let object):
            if let slot { return try context.value(at: slot, of: object) }
        case .array(let elements), .set(let elements):
            var members: [ExpressionValue] = []
            members.reserveCapacity(elements.count)
            for element in elements where !element.isNull {
                let member = try member(of: element, slot, valueKey)
                if let inner = member.elements {
                    members += inner
                } else {
                    members.append(member)
                }
            }
            return .array(members)
        default: break
        }
        if let valueKey, let result = try valueKey.value(of: value) { return result }
        throw EvaluationFault(.nameUnknown, "\(value.kind) does not have this key")
    }

    private mutating func subquery(_ node: Int, _ collection: Int, _ local: Int, _ predicate: Int) throws
        -> ExpressionValue
    {
        let value = try value(collection)
        guard !value.isNull else { return .array([]) }
        var found: [ExpressionValue] = []
        for element in value.elements ?? [value] {
            subqueryElements += 1
            guard subqueryElements <= program.limits.subqueryElements else {
                current = node
                throw EvaluationFault(
                    .tooLarge,
                    "subqueries look at more than \(program.limits.subqueryElements) elements; nest fewer of them")
            }
            locals[local] = element
            if try truth(predicate) == true {
                found.append(element)
            }
        }
        if case .set = value { return .set(found) }
        return .array(found)
    }

    // MARK: Truth

    /// Returns true, false, or nil for unknown.
    private mutating func truth(_ node: Int) throws -> Bool? {
        switch program.nodes[node] {
        case .compare(let comparison):
            let left = try value(comparison.left)
            let right = try value(comparison.right)
            current = node
            return try ComparisonEvaluation(comparison, program).truth(left, right)
        case .truth(let value): return value
        case .not(let operand): return try truth(operand).map { !$0 }
        case .and(let range):
            var result: Bool? = true
            for number in range {
                switch try truth(program.lists[number]) {
                case false?: return false
                case nil: result = nil
                case true?: break
                }
            }
            return result
        case .or(let range):
            var result: Bool? = false
            for number in range {
                switch try truth(program.lists[number]) {
                case true?: return true
                case nil: result = nil
                case false?: break
                }
            }
            return result
        default:
            let value = try value(node)
            if value.isNull { return nil }
            guard let number = NumberValue(value) else {
                throw EvaluationFault(.typeMismatch, "\(value.kind) is neither true nor false")
            }
            return !number.isZero
        }
    }
}
