/// Predefined functions and methods.
extension ProgramCompiler {
    mutating func compile(
        function selector: String, _ arguments: [Expression], _ place: Expression
    ) throws -> Int {
        guard PredefinedFunction.argumentCount(of: selector) == arguments.count else {
            throw fault(.methodUnknown, "\(selector) does not take \(arguments.count) arguments", at: place)
        }
        switch arguments.count {
        case 0: return try compile(plain: selector, place)
        case 1: return try compile(unary: selector, arguments[0], place)
        case 2: return try compile(binary: selector, arguments[0], arguments[1], place)
        default: throw unknown(selector, place)
        }
    }

    private mutating func unknown(_ selector: String, _ place: Expression) -> EvaluationFault {
        fault(.methodUnknown, "there is no predefined function \(selector)", at: place)
    }

    private mutating func compile(plain selector: String, _ place: Expression) throws -> Int {
        switch selector {
        case "now": return add(.now, place)
        case "random": return add(.random, place)
        default: throw unknown(selector, place)
        }
    }

    private mutating func compile(unary selector: String, _ argument: Expression, _ place: Expression) throws -> Int {
        let operand = try compile(argument)
        if let function = NumberFunction(rawValue: selector) { return add(.number(function, of: operand), place) }
        if let function = TextFunction(rawValue: selector) { return add(.text(function, of: operand), place) }
        if let function = CollectionFunction(rawValue: selector) {
            return add(.collection(function, of: operand), place)
        }
        if selector == "random:" || selector == "randomn:" { return add(.randomBelow(operand), place) }
        throw unknown(selector, place)
    }

    private mutating func compile(
        binary selector: String, _ first: Expression, _ second: Expression, _ place: Expression
    ) throws -> Int {
        if let function = ArithmeticOperator(rawValue: selector) {
            return add(.arithmetic(function, try compile(first), try compile(second)), place)
        }
        switch selector {
        case PredefinedFunction.cast: return try compile(cast: first, to: second, place)
        case PredefinedFunction.index:
            let operand = try compile(first)
            if case .symbol(let symbol) = second { return add(.symbolicElement(of: operand, symbol), place) }
            return add(.element(of: operand, at: try compile(second)), place)
        case "tokenize:using:":
            return add(.tokens(of: try compile(first), separators: try compile(second)), place)
        case "distanceToLocation:fromLocation:":
            throw fault(.unsupported, "geographic distances are not supported", at: place)
        default: throw unknown(selector, place)
        }
    }

    private mutating func compile(cast value: Expression, to type: Expression, _ place: Expression) throws -> Int {
        guard case .constant(.string(let name)) = type else {
            throw fault(.unsupported, "the type of a CAST must be a string", at: place)
        }
        guard let target = CastTarget(rawValue: name) else {
            let known = CastTarget.allCases.map(\.rawValue).joined(separator: ", ")
            throw fault(.unsupported, "nothing can be cast to \(name.debugDescription); it may be \(known)", at: place)
        }
        return add(.cast(try compile(value), to: target), place)
    }

    // MARK: Methods

    mutating func compile(
        method selector: String, on target: Expression, _ arguments: [Expression], _ place: Expression
    ) throws -> Int {
        if selector == "valueForKey:" || selector == "valueForKeyPath:", arguments.count == 1,
            let path = Self.path(arguments[0])
        {
            return try compile(path: .keyPath(path, on: target))
        }
        let methodTarget = target.methodTarget
        if let slot = try names.slot(ofMethod: selector, on: methodTarget) {
            return try compile(call: slot, on: target, methodTarget, arguments, place)
        }
        if case .className(let name) = methodTarget {
            if (name, selector) == ClassMethod.newUUID, arguments.isEmpty { return add(.newUUID, place) }
            if let plain = ClassMethod.plain(name, selector, arguments) { return try compile(plain) }
        }
        if let method = ValueMethod(rawValue: selector), methodTarget.isValue,
            PredefinedFunction.argumentCount(of: selector) == arguments.count
        {
            return add(.method(method, of: try compile(target), arguments: try compile(list: arguments)), place)
        }
        if arguments.isEmpty, ValueKey(rawValue: selector) != nil {
            return try compile([selector], on: target, place)
        }
        throw fault(.methodUnknown, "there is no method \(selector) of \(target.format) here", at: place)
    }

    private static func path(_ argument: Expression) -> String? {
        switch argument {
        case .constant(.string(let path)): path
        case .keyPath(.evaluatedObject, let path): path
        default: nil
        }
    }

    private mutating func compile(
        call slot: Int, on target: Expression, _ kind: MethodTarget, _ arguments: [Expression], _ place: Expression
    ) throws -> Int {
        var operand: Int?
        switch kind {
        case .className: break
        case .evaluatedObject:
            operand = try names.slot(of: [], from: .evaluatedObject).map { add(.slot($0.slot), target) }
        case .variable(let name) where !locals.contains { $0.name == name }:
            operand = try names.slot(of: [], from: .variable(name)).map { add(.slot($0.slot), target) }
        case .variable, .value: operand = try compile(target)
        }
        return add(.call(slot: slot, target: operand, arguments: try compile(list: arguments)), place)
    }
}
