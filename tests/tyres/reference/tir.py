"""Plain reader of the sample .tir files for the reference tables: name -> number or text, as written."""


def load(path):
    values = {}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            line = line.split("$")[0].strip()
            if "=" not in line:
                continue
            name, value = (part.strip() for part in line.split("=", 1))
            try:
                values[name] = float(value)
            except ValueError:
                values[name] = value.strip("'")
    return values
