extension Predicate: CustomStringConvertible {
    /// The text in the predicate format language; parsing it gives the same predicate.
    public var format: String {
        var printer = FormatPrinter()
        printer.print(self)
        return printer.output
    }

    public var description: String { format }
}

extension Expression: CustomStringConvertible {
    /// The text in the predicate format language; parsing it gives the same expression.
    public var format: String {
        var printer = FormatPrinter()
        printer.print(self)
        return printer.output
    }

    public var description: String { format }
}
