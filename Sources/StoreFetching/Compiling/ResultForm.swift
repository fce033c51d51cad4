import ManagedObjectModels
import PredicateExpressions

/// The form of the results of an expression that Swift evaluates, as far as the expression determines it.
enum ResultForm {
    static func form(of expression: Expression, _ compiler: FetchCompiler) -> ValueForm {
        switch expression {
        case .constant(.decimal): return .decimal
        case .keyPath: return compiler.attribute(at: expression).map { ValueForm($0.description) } ?? .any
        case .function("castObject:toType:", let arguments):
            guard arguments.count == 2, case .constant(.string(let type)) = arguments[1] else { return .any }
            switch type {
            case "NSDecimalNumber": return .decimal
            case "NSDate": return .date
            case "NSUUID": return .uuid
            case "NSData": return .data
            case "NSString", "NSURL": return .text
            default: return .any
            }
        case .function(let selector, let arguments):
            guard selector.contains(":"), selector != "count:", selector != "length:" else { return .any }
            let forms = arguments.map { form(of: $0, compiler) }
            if forms.contains(.decimal) { return .decimal }
            return forms.first == .date ? .date : .any
        case .conditional(_, let first, let second):
            let form = form(of: first, compiler)
            return form == .any ? Self.form(of: second, compiler) : form
        default: return .any
        }
    }
}
