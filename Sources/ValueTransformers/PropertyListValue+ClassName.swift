package import KeyedArchives

extension PropertyListValue {
    /// Returns whether the Foundation class of the value is a class or a subclass of it, as far as a property list
    /// determines that.
    package func isInstance(of name: String) -> Bool {
        switch self {
        case .array: ["NSArray", "NSMutableArray"].contains(name)
        case .dictionary: ["NSDictionary", "NSMutableDictionary"].contains(name)
        case .set: ["NSSet", "NSMutableSet"].contains(name)
        case .string: ["NSString", "NSMutableString"].contains(name)
        case .data: ["NSData", "NSMutableData"].contains(name)
        case .date: name == "NSDate"
        case .boolean, .integer, .real, .single, .wideInteger: ["NSNumber", "NSValue"].contains(name)
        default: false
        }
    }
}
